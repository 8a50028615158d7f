/** How D1 goes about the statements of a request. */
import { expect } from "vitest";
import { createApp } from "../../../../src/edge/app.ts";
import type { Client } from "../api.ts";
import { BESIDE } from "../context.ts";
import { bindings } from "../rows.ts";

const app = createApp();
const INNER = Symbol("inner");

/** Returns the plan of every statement of a request, as D1 would go about it. */
export async function plansOf(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<string[]> {
  const asked: { query: string; values: unknown[] }[] = [];
  const spied = (query: string, statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, property) {
        if (property === INNER) return target;
        const value = Reflect.get(target, property, target) as unknown;
        if (property === "bind") {
          return (...given: unknown[]) => {
            asked.push({ query, values: given });
            return spied(query, target.bind(...given));
          };
        }
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  const DB = new Proxy(bindings.DB, {
    get(target, property) {
      if (property === "prepare") return (query: string) => spied(query, target.prepare(query));
      if (property !== "batch") return Reflect.get(target, property, target) as unknown;
      return (all: D1PreparedStatement[]) =>
        target.batch(all.map((s) => Reflect.get(s, INNER) as D1PreparedStatement));
    },
  });
  const response = await app.request(
    `/api/v1/${client.space.name}${path}`,
    {
      method,
      headers: { Authorization: `Bearer ${await client.key("admin")}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    { ...bindings, DB },
    BESIDE,
  );
  expect([path, response.status < 300]).toEqual([path, true]);
  await response.text();
  const plans = asked.map(async ({ query, values }) => {
    const plan = bindings.DB.prepare(`EXPLAIN QUERY PLAN ${query}`).bind(...values);
    return (await plan.all<{ detail: string }>()).results.map(({ detail }) => detail);
  });
  return (await Promise.all(plans)).flat();
}

const TABLES =
  "records|record_values|record_uniques|record_versions|media|masters|models|spaces|api_keys|variants|doomed_fields|record_locales|record_locale_versions|remotes";
/** The names of the tables in our statements. */
const ALIASES = "r|v|d|m|t|o|p|u|x|s\\d|me|ma";

/** Steps of a plan that read a whole table. A list in JSON is a virtual table, and is read as a whole. */
export const walksIn = (plan: readonly string[]): string[] => {
  const walk = new RegExp(`^SCAN (${TABLES}|${ALIASES})\\b(?! VIRTUAL TABLE)`);
  return plan.filter((detail) => walk.test(detail));
};
