import { expect, it } from "vitest";
import * as z from "zod";
import { detailsOf, listUpTo, withoutFaults } from "../../../../src/edge/http/answers/faults.ts";
import { ERRORS } from "../../../../src/limits.ts";

const schema = z.strictObject({
  name: z.string(),
  list: listUpTo(z.strictObject({ n: z.number().optional(), text: z.string().max(2) }), 3),
});

const errorOf = (body: unknown): z.ZodError => {
  const { error } = schema.safeParse(body);
  if (!error) throw new Error("The schema lets it through.");
  return error;
};

const BODY = { name: 5, list: [{ text: "abc", n: 1 }, 7, { text: "a", n: "x", more: 1 }], extra: 1 };

it("names each fault by its path", () => {
  expect(detailsOf(errorOf(BODY)).map(({ path }) => path)).toEqual([
    ...["name", "list.0.text", "list.1", "list.2.n", "list.2.more", "extra"],
  ]);
});

it("keeps valid values in their places, and does not change the body", () => {
  const before = structuredClone(BODY);
  expect(withoutFaults(BODY, errorOf(BODY))).toEqual({ list: [{ n: 1 }, undefined, { text: "a" }] });
  expect(BODY).toEqual(before);
});

it("leaves nothing of a body or a list that is of the wrong kind", () => {
  expect(withoutFaults([1], errorOf([1]))).toEqual([1]);
  const body = { name: "a", list: { text: "a" } };
  expect(withoutFaults(body, errorOf(body))).toEqual({ name: "a" });
});

it("leaves a list that is only too long, without what is wrong with its items", () => {
  const list = [...Array.from({ length: 4 }, () => ({ text: "a" })), { text: "long" }];
  const body = { name: "a", list };
  expect(detailsOf(errorOf(body)).map(({ path }) => path)).toEqual(["list.4.text", "list"]);
  expect(withoutFaults(body, errorOf(body))).toEqual({ name: "a", list: [...list.slice(0, 4), {}] });
});

it("copies no nested values, because a body may be too deep to copy", () => {
  const deep: unknown = JSON.parse(`{"name": ${"[".repeat(10_000)}${"]".repeat(10_000)}, "list": []}`);
  expect(withoutFaults(deep, errorOf(deep))).toEqual({ list: [] });
});

it("treats names of Object.prototype like any other name", () => {
  const body: unknown = JSON.parse('{"name": "a", "list": [], "__proto__": {"x": 1}, "constructor": 1}');
  expect(withoutFaults(body, errorOf(body))).toEqual({ name: "a", list: [] });
});

it("looks at the items of a list that is somewhat too long, and not at those of one that is ten times too long", () => {
  const pathsOf = (length: number): string[] =>
    detailsOf(errorOf({ name: "a", list: Array(length).fill(7) })).map(({ path }) => path);
  expect(pathsOf(3 * ERRORS.examinedListFactor)).toHaveLength(3 * ERRORS.examinedListFactor + 1);
  expect(new Set(pathsOf(3 * ERRORS.examinedListFactor + 1))).toEqual(new Set(["list"]));
});
