/** The reasons of a refused bulk, as the list of records shows them. */
import { expect, it } from "vitest";
import { SilverprintError } from "../../../src/client/index.ts";
import { bulkFaults } from "../../../src/console/api/bulk-faults.ts";

const RECORDS = [{ id: "a", version: 1 }, { id: "b" }];
const STALE = expect.stringContaining("It has changed since you selected it") as string;
const LACKING = "is required to be published";

type Code = "PRECONDITION_FAILED" | "VALIDATION_FAILED";

/** Returns the reasons of a refusal with these faults. @param field a field of the model */
const faults = (code: Code, field: string, ...details: { path: string; message: string }[]) =>
  bulkFaults(new SilverprintError(400, { code, details }), RECORDS, {
    fields: [{ name: field }],
  });

const stale = { path: "operations.0.ifMatch", message: "The record is at version 2 now." };

it("say that another editor has changed a record, beside other faults too", () => {
  expect(faults("PRECONDITION_FAILED", "title", stale)).toEqual([{ id: "a", message: STALE }]);
  const lacking = { path: "operations.1.title", message: LACKING };
  expect(faults("VALIDATION_FAILED", "title", lacking, stale)).toEqual([
    { id: "b", message: `title ${LACKING}` },
    { id: "a", message: STALE },
  ]);
});

it("tell a field with the name of the header from the header", () => {
  const lacking = { path: "operations.0.ifMatch", message: LACKING };
  expect(faults("VALIDATION_FAILED", "ifMatch", lacking)).toEqual([
    { id: "a", message: `ifMatch ${LACKING}` },
  ]);
  expect(faults("PRECONDITION_FAILED", "ifMatch", stale)).toEqual([{ id: "a", message: STALE }]);
});
