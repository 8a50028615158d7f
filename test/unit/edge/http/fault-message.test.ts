import { expect, it } from "vitest";
import * as z from "zod";
import { faultMessage } from "../../../../src/content/faults/fault-message.ts";

const message = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: faultMessage }).error?.issues[0]?.message;

it.each([
  ["nothing where a value is required", z.string(), undefined, "is required"],
  ["nothing where one value is allowed", z.literal("a"), undefined, "is required"],
  ["another type", z.array(z.string()), {}, "must be a list"],
  ["a fraction", z.int(), 1.5, "must be a whole number"],
  ["another value", z.enum(["a", "b"]), "c", "must be one of a, b"],
  ["another value than the only one", z.literal(1), 2, "must be 1"],
  ["a long list", z.array(z.int()).max(1), [1, 2], "must have at most 1 item"],
  ["a short text", z.string().min(2), "a", "must have at least 2 characters"],
  ["a text of another length", z.string().length(2), "a", "must have exactly 2 characters"],
  ["a large number", z.number().max(3), 4, "must be at most 3"],
  ["a number at an open limit", z.number().gt(3), 3, "must be more than 3"],
  ["a number between the steps", z.number().multipleOf(5), 3, "must be a multiple of 5"],
  ["a text without the pattern", z.string().regex(/^a$/), "b", "must match /^a$/"],
  ["no date", z.iso.datetime(), "b", "must be a date and time, such as 2030-01-31T09:00:00Z"],
  [
    "no form of a union",
    z.discriminatedUnion("op", [z.object({ op: z.literal("a") }), z.object({ op: z.literal("b") })]),
    { op: "c" },
    "must be one of a, b",
  ],
])("says in plain words what is wrong with %s", (_, schema, value, expected) => {
  expect(message(schema, value)).toBe(expected);
});

it("leaves a schema its own message", () => {
  expect(message(z.string("must be the name"), 1)).toBe("must be the name");
});
