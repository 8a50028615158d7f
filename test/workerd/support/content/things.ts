/** 48 generated records with values that are easily confused, in a collection with a field of every type. */
import { expect } from "vitest";
import { Client } from "../api.ts";

export interface Item {
  id: string;
  name: string | null;
  body: string | null;
  price: number | null;
  live: boolean | null;
  day: string | null;
  kind: string | null;
  parent: string | null;
  tags: string[];
  createdAt: string;
  updatedAt: string;
  version: number;
}

const LONG = "x".repeat(250);
export const NAMES = [
  "a",
  "b",
  "B",
  "é",
  "É tude",
  "日本",
  "a%b",
  "a_b",
  "'; DROP TABLE records; --",
  `${LONG}1`,
  `${LONG}2`,
  "",
  null,
];
export const PRICES = [-1.5, 0, 1, 2, 2, 10, 1e21, 9007199254740991, null];
export const DAYS = [
  "2026-01-01T00:00:00.000Z",
  "2026-01-01T00:00:00.001Z",
  "1999-12-31T23:59:59.000Z",
  null,
];
const KINDS = ["red", "green", null];

export const pick = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;

/** Makes items, in order of creation. */
export async function makeThings(): Promise<{ client: Client; items: Item[] }> {
  const client = await Client.make();
  await client.model("things", [
    { name: "name", type: "string" },
    { name: "body", type: "text" },
    { name: "price", type: "number" },
    { name: "live", type: "boolean" },
    { name: "day", type: "datetime" },
    { name: "kind", type: "enum", values: ["red", "green"] },
    { name: "parent", type: "relation", to: "things" },
    { name: "tags", type: "relation", to: "things", multiple: true },
  ]);
  const made: string[] = [];
  for (let i = 0; i < 48; i++) {
    const id = await client.create("things", {
      name: pick(NAMES, i * 7),
      body: pick(NAMES, i * 5 + 1),
      price: pick(PRICES, i * 5),
      live: pick([true, false, null], i),
      day: pick(DAYS, i * 3),
      kind: pick(KINDS, i >> 1),
      parent: made[i % 5] ?? null,
      tags: made.slice(i % 3, i % 4),
    });
    made.push(id);
  }
  // Records of another model of the space, which must never be found.
  await client.model("others", [{ name: "name", type: "string" }]);
  await client.create("others", { name: "a" });
  const items = (await client.call<Item[]>("GET", "/data/collections/things?limit=100&sort=createdAt")).data;
  expect(items.map(({ id }) => id)).toEqual(made);
  return { client, items };
}
