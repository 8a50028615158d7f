/** Every fault of a body in one answer: none hides another (RULES 3.6). */
import { beforeEach, describe, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client, type Reply } from "../support/api.ts";

let client: Client;

beforeEach(async () => {
  client = await Client.make();
});

const paths = (reply: Reply): string[] => (reply.error.details ?? []).map(({ path }) => path).sort();
const MISSING = "01M7XTTZQECY6W1GJ6HFN4V91C";

/** Fields with faults that the schema sees, and faults that it does not. */
const FAULTY = [
  { name: "Capital", type: "string" },
  { name: "pattern", type: "string", pattern: "(?=x)", maxLength: -1 },
  { name: "bounds", type: "number", min: 5, max: 1, integer: "yes" },
  { name: "unknown", type: "picture" },
  { name: "Two faults", type: "picture", label: 5 },
  { name: "twice", type: "enum", values: ["a", "a", 5], default: "a" },
  { name: "start", type: "enum", values: ["a", "b"], default: "c", extra: 1 },
  { name: "start", type: "boolean" },
  { name: "target", type: "relation" },
  { name: "other", type: "relation", to: "nothing", multiple: true, unique: true },
  "a string",
];

const FAULTS = [
  "fields.0.name",
  "fields.1.maxLength",
  "fields.1.pattern",
  "fields.10",
  "fields.2.integer",
  "fields.2.min",
  "fields.3.type",
  "fields.4.label",
  "fields.4.name",
  "fields.4.type",
  "fields.5.values",
  "fields.5.values.2",
  "fields.6.default",
  "fields.6.extra",
  "fields.7.name",
  "fields.8.to",
  "fields.9.to",
  "fields.9.unique",
];

describe("a model's body", () => {
  it("lists all faults at once when it is made, those of the schema and the others", async () => {
    const body = { typeModel: "collections", name: "items", titleField: "other", fields: FAULTY };
    const refused = await client.call("POST", "/models", body);
    expect([refused.status, refused.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(paths(refused)).toEqual([...FAULTS, "titleField"]);
  });

  it("lists all faults at once when it is changed", async () => {
    await client.model("items", [{ name: "start", type: "boolean" }]);
    const refused = await client.call("PUT", "/models/collections/items", {
      name: "renamed",
      createdAt: 5,
      fields: FAULTY,
      drop: ["start", 7],
      rename: { start: "nowhere", gone: "target", more: 1 },
    });
    expect(refused.status).toBe(400);
    expect(paths(refused)).toEqual(
      [
        ...["createdAt", "drop.0", "drop.0", "drop.1", "name"],
        ...[...FAULTS, "rename.gone", "rename.more", "rename.start"],
      ].sort(),
    );
  });

  it("has faults beside what the service sets told with them, where the schema finds none", async () => {
    await client.model("items", [{ name: "n", type: "number" }]);
    const fields = [{ name: "n", type: "number", min: 5, max: 1 }];
    const refused = await client.call("PUT", "/models/collections/items", {
      fields,
      name: "renamed",
      drop: ["n"],
    });
    expect(paths(refused)).toEqual(["drop.0", "fields.0.min", "name"]);
  });

  it("has the faults of its fields told beside that of too many", async () => {
    await client.model("items", [{ name: "start", type: "boolean" }]);
    const more = CONTENT.fieldsPerModelMax + 1 - FAULTY.length;
    const fields = [
      ...FAULTY,
      ...Array.from({ length: more }, (_, i) => ({ name: `f${i}`, type: "number" })),
    ];
    const made = { typeModel: "collections", name: "others", fields };
    expect(paths(await client.call("POST", "/models", made))).toEqual(["fields", ...FAULTS]);
    const changed = { fields, drop: ["start"] };
    const refused = await client.call("PUT", "/models/collections/items", changed);
    expect(paths(refused)).toEqual(["drop.0", "fields", ...FAULTS]);
  });

  it("is not checked further without a list of fields", async () => {
    await client.model("items", [{ name: "n", type: "number" }]);
    for (const fields of [undefined, "n", { 0: { name: "n" } }]) {
      const body = { fields, name: "renamed", drop: ["n"], rename: { n: "m" } };
      expect(paths(await client.call("PUT", "/models/collections/items", body))).toEqual(["fields", "name"]);
    }
    for (const body of [null, [], "text", 5]) {
      expect((await client.call("PUT", "/models/collections/items", body)).status).toBe(400);
    }
  });
});

describe("a record's references", () => {
  const ITEMS = "/data/collections/items";

  beforeEach(async () => {
    await client.model("items", [
      { name: "n", type: "number" },
      { name: "one", type: "relation", to: "items" },
      { name: "many", type: "relation", to: "items", multiple: true },
      { name: "pictures", type: "media", multiple: true },
    ]);
  });

  const messages = (reply: Reply): string[] =>
    (reply.error.details ?? []).map(({ path, message }) => `${path}: ${message}`).sort();

  it("that do not exist are listed together with those that are not ids", async () => {
    const body = { n: "x", one: [MISSING], many: [MISSING, 5, MISSING], pictures: ["not an id", MISSING] };
    const expected = [
      `many: "${MISSING}" is not a record of "items" that is there`,
      "many: must be a list of ids",
      "n: must be a number",
      `one: "${MISSING}" is not a record of "items" that is there`,
      "one: must be an id",
      `pictures: "${MISSING}" is not a media item that is there`,
      "pictures: must be a list of ids",
    ];
    const created = await client.call("POST", ITEMS, body);
    expect([created.status, messages(created)]).toEqual([400, expected]);
    const id = await client.create("items", { n: 1 });
    expect(messages(await client.call("PUT", `${ITEMS}/${id}`, body))).toEqual(expected);
  });

  it("that exist are not listed as faults together with those that are not ids", async () => {
    const id = await client.create("items", { n: 1 });
    const refused = await client.call("POST", ITEMS, { many: [id, null] });
    expect(messages(refused)).toEqual(["many: must be a list of ids"]);
  });
});
