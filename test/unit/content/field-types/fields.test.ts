import { describe, expect, it } from "vitest";
import { inPresentForm, type Field, type Json } from "../../../../src/content/field-types/fields.ts";

const one: Field = { name: "r", type: "relation", to: "tags" };
const list: Field = { ...one, multiple: true };
const number: Field = { name: "n", type: "number" };
const boolean: Field = { name: "b", type: "boolean" };
const text: Field = { name: "t", type: "text" };
const json: Field = { name: "j", type: "json" };

describe("a value in the form of its field", () => {
  it.each<[string, Field, Json]>([
    ["an id", one, "a"],
    ["a list", list, ["a", "b"]],
    ["an empty list", list, []],
    ["a number", number, 0],
    ["false", boolean, false],
    ["an empty text", text, ""],
    ["a list in json", json, []],
    ["an object in json", json, { a: [] }],
    ["none", one, null],
    ["no number", number, null],
    ["no json", json, null],
  ])("is left as it is: %s", (_name, field, value) => {
    expect(inPresentForm(field, value)).toEqual(value);
  });

  it.each<[string, Field, Json, Json]>([
    ["none becomes an empty list", list, null, []],
    ["an empty list becomes none", one, [], null],
    ["an id becomes a list of it", list, "a", ["a"]],
    ["a list of one id becomes the id", one, ["a"], "a"],
    ["a list of several becomes none", one, ["a", "b"], null],
    ["a list of one id in a text becomes none", text, ["a"], null],
    ["an object becomes none", text, { a: 1 }, null],
    ["an object becomes an empty list", list, { a: 1 }, []],
    ["a text becomes no number", number, "5", null],
    ["a number becomes no text", text, 5, null],
    ["a number becomes no boolean", boolean, 1, null],
  ])("%s", (_name, field, value, expected) => {
    expect(inPresentForm(field, value)).toEqual(expected);
  });
});
