/** The rehearsal's D1 refuses at `/query` what reports say of the real one. */
import { describe, expect, it } from "vitest";
import { isIncompleteInput } from "../../../../scripts/deploy/rehearsal/d1-query.ts";
import { readMigrations } from "../../../../scripts/deploy/steps/migrations.ts";

const trigger = (name: string): string =>
  `CREATE TRIGGER ${name} AFTER INSERT ON a BEGIN UPDATE a SET b = 1; END;`;

describe("a query is refused as incomplete input", () => {
  it.each([
    ["a trigger over several lines", "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n  SELECT 1;\nEND;"],
    ["two triggers", `${trigger("one")}\n${trigger("two")}`],
    ["a lower-case begin", trigger("t").replace("BEGIN", "begin")],
    ["CRLF line ends", `CREATE TABLE a (b);\r\n${trigger("t")}\r\n`],
    ["a bare CASE in a trigger", trigger("t").replace("b = 1", "b = CASE WHEN 1 THEN 2 END")],
  ])("for %s", (_, sql) => {
    expect(isIncompleteInput(sql)).toBe(true);
  });
});

it("a query is taken with one trigger on one line, or with none", () => {
  expect(isIncompleteInput(`CREATE TABLE a (b);\n${trigger("t")}`)).toBe(false);
  expect(isIncompleteInput(trigger("t").replace("b = 1", "b = (CASE WHEN 1 THEN 2 END)"))).toBe(false);
  expect(isIncompleteInput("CREATE TABLE a (b);\r\nSELECT CASE WHEN 1 THEN 2 END;")).toBe(false);
});

it("the migrations from 0007 on with triggers would be refused, so that they are imported", () => {
  const refused = readMigrations().filter(({ sql }) => isIncompleteInput(sql));
  expect(refused.map(({ name }) => name.slice(0, 4)).slice(0, 5)).toEqual([
    "0007",
    "0008",
    "0009",
    "0011",
    "0012",
  ]);
});
