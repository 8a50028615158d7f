/** Documents that change very many models with records, within the queries of one invocation (RULES 3.34). */
import { expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { FIXTURE } from "../support/bindings/deployed-d1.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

interface Plan {
  hash: string;
  changes: { action: string; model: string; records: number; inBackground: boolean }[];
  conflicts: { path: string; message: string }[];
}

const MODELS = 150;
const nameOf = (n: number): string => `things${n}`;

const documentOf = (names: readonly string[], more: object = {}): { models: object[] } => ({
  models: names.map((name) => ({
    ...{ typeModel: "collections", name, drafts: true },
    fields: [
      { name: "title", type: "string", ...more },
      { name: "n", type: "number" },
    ],
  })),
});

const plan = async (client: Client, document: object): Promise<Plan> => {
  const { status, data, error } = await client.call<Plan>("POST", "/models/plan", document);
  expect(status, JSON.stringify(error)).toBe(200);
  return data;
};

/** Plans and applies a document until the space is as it says. @returns how many requests that took */
async function apply(client: Client, document: object): Promise<number> {
  for (let requests = 1; ; requests++) {
    const { hash, conflicts } = await plan(client, document);
    expect(conflicts).toEqual([]);
    const reply = await client.call<{ isComplete: boolean; changes: unknown[] }>("POST", "/models/apply", {
      ...document,
      hash,
    });
    expect(reply.status, JSON.stringify(reply.error)).toBe(200);
    expect(reply.data.changes.length).toBeGreaterThan(0);
    if (reply.data.isComplete) return requests;
  }
}

it("looks at as many models as one request can, names the others, and tells every loss in parts", async () => {
  const client = await Client.make();
  const names = Array.from({ length: MODELS }, (_, n) => nameOf(n));
  expect(await apply(client, documentOf(names))).toBe(Math.ceil(MODELS / CONTENT.documentStepsPerRequest));
  await bindings.DB.prepare(
    `${FIXTURE} INSERT INTO records (model_id, space_id, id, data, size_bytes, version, created_at, updated_at)
     SELECT m.id, m.space_id, 'R' || m.id || '-' || j.value, '{"1":"A","2":1}', 20, 1, 1, 1
     FROM models m CROSS JOIN json_each('[1,2,3,4,5,6]') j WHERE m.space_id = ?`,
  )
    .bind(client.space.id)
    .run();
  await bindings.DB.prepare(
    `${FIXTURE} INSERT INTO record_values (model_id, field, value, record)
     SELECT model_id, 2, 1, seq FROM records WHERE space_id = ?`,
  )
    .bind(client.space.id)
    .run();
  const harder = { maxLength: 5 };
  const withoutN = (some: readonly string[]): { models: object[] } => ({
    models: documentOf(some, harder).models.map((model) => ({
      ...model,
      fields: [{ name: "title", type: "string", ...harder }],
    })),
  });
  // With the reads of a model by itself, such a plan has over 1,000 queries.
  const planned = await plan(client, withoutN(names));
  expect(planned.changes).toHaveLength(MODELS);
  expect(planned.changes[0]).toMatchObject({ action: "change", records: 6, inBackground: false });
  const isMissed = ({ message }: { message: string }): boolean => message.includes("in parts");
  const missed = planned.conflicts.filter(isMissed).length;
  expect(missed).toBeGreaterThan(0);
  expect(missed).toBeLessThan(MODELS - 50);
  expect(planned.conflicts.length).toBe(MODELS);
  // The loss of values is named in every model of a part.
  for (const part of [names.slice(0, 75), names.slice(75)])
    expect((await plan(client, withoutN(part))).conflicts.map(({ path }) => path)).toEqual(
      part.map((name) => `${name}.n`),
    );
  await apply(client, documentOf(names.slice(-30), harder));
  const { data } = await client.call<{ fields: object[] }>(
    "GET",
    `/models/collections/${nameOf(MODELS - 1)}`,
  );
  expect(data.fields[0]).toMatchObject({ name: "title", maxLength: 5 });
});
