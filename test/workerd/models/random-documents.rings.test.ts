/**
 * Documents of random models (RULES 3.34): from one to another and back. The plan says exactly what happens, a second
 * apply changes nothing, values that the plan does not drop are kept, and a run that is killed in the middle is ended by
 * the next one.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDocument } from "../../../src/edge/models/document/apply-document.ts";
import type { ModelsDocument } from "../../../src/edge/models/document/document.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { readSpaceById } from "../../../src/edge/storage/spaces/spaces.ts";
import { rounds } from "../../support/ring.ts";
import { failingD1, newProcess } from "../support/bindings/failing-d1.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

interface FieldView {
  name: string;
  type: string;
  renamedFrom?: string;
  [option: string]: unknown;
}
interface ModelView {
  typeModel: string;
  name: string;
  titleField?: string;
  fields: FieldView[];
  [option: string]: unknown;
}
interface Asked {
  models: ModelView[];
}
type Change = Record<"action" | "typeModel" | "model", string> & {
  added: string[];
  removed: string[];
  renamed: Record<string, string>;
  changed: string[];
  options: string[];
};
interface Plan {
  hash: string;
  changes: Change[];
  conflicts: { path: string; message: string }[];
}

const COLLECTIONS = ["alpha", "beta", "gamma"];
const maybe = fc.option(fc.constant(true), { nil: undefined });
const label = fc.option(fc.constantFrom("One", "Two"), { nil: undefined });

/** A field of each name. Only `mixed` changes its type, which no value may stand against. */
const FIELDS: Record<string, fc.Arbitrary<object>> = {
  title: fc.record({ type: fc.constant("string"), label, unique: maybe, searchable: maybe }),
  slug: fc.record({
    type: fc.constant("string"),
    unique: maybe,
    maxLength: fc.constantFrom(40, 60, undefined),
  }),
  body: fc.record({ type: fc.constant("text"), searchable: maybe }),
  stars: fc.record({ type: fc.constant("number"), min: fc.constantFrom(0, undefined), integer: maybe }),
  isNew: fc.record({ type: fc.constant("boolean"), default: fc.constantFrom(true, false, undefined) }),
  kind: fc.record({ type: fc.constant("enum"), values: fc.constantFrom(["a", "b"], ["a", "b", "c"]) }),
  link: fc.record({ type: fc.constant("relation"), to: fc.constantFrom(...COLLECTIONS), multiple: maybe }),
  best: fc.record({ type: fc.constant("relation"), to: fc.constantFrom(...COLLECTIONS) }),
  cta: fc.record({
    type: fc.constant("component"),
    component: fc.constantFrom("button", "card"),
    multiple: maybe,
  }),
  parts: fc.record({
    type: fc.constant("blocks"),
    components: fc.constantFrom(["button"], ["button", "card"]),
  }),
  mixed: fc.constantFrom({ type: "string" }, { type: "number" }, { type: "json" }),
};
/** The names that a field may also have: the one becomes the other by a rename. */
const TWINS: Record<string, string> = { title: "headline", body: "words", stars: "score" };

const withoutUndefined = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

const fieldsOf = (names: string[]): fc.Arbitrary<FieldView[]> =>
  fc.shuffledSubarray(names).chain((chosen) =>
    fc.tuple(
      ...chosen.map((name) =>
        fc.tuple(FIELDS[name] as fc.Arbitrary<object>, fc.boolean()).map(([options, isTwin]): FieldView => {
          const twin = TWINS[name];
          const names = twin === undefined ? [name] : isTwin ? [twin, name] : [name, twin];
          const former = names[1] === undefined ? {} : { renamedFrom: names[1] };
          return { ...withoutUndefined(options), name: names[0], ...former } as FieldView;
        }),
      ),
    ),
  );

const NAMES = Object.keys(FIELDS);
const OF_COMPONENTS = NAMES.filter((name) => !["cta", "parts", "title", "slug"].includes(name));

const models: fc.Arbitrary<Asked> = fc
  .tuple(
    ...COLLECTIONS.map((name) =>
      fc.record({
        typeModel: fc.constant("collections"),
        name: fc.constant(name),
        label,
        drafts: maybe,
        public: maybe,
        fields: fieldsOf(NAMES),
      }),
    ),
    fc.record({ typeModel: fc.constant("pages"), name: fc.constant("home"), label, fields: fieldsOf(NAMES) }),
    fc.record({
      typeModel: fc.constant("components"),
      name: fc.constant("button"),
      label,
      fields: fieldsOf(OF_COMPONENTS),
    }),
    fc.record({
      typeModel: fc.constant("components"),
      name: fc.constant("card"),
      label,
      fields: fieldsOf(OF_COMPONENTS),
    }),
  )
  .chain((all) =>
    fc.shuffledSubarray(
      all.map((one) => withoutUndefined(one) as ModelView),
      { minLength: all.length },
    ),
  )
  .map((all) => ({ models: all }));

/** Returns a value that fits a field, or undefined. */
function valueFor({ type, name, ...options }: FieldView, n: number): unknown {
  switch (type) {
    case "string":
      return `${name} ${n}`;
    case "text":
      return `Words of ${n}`;
    case "number":
      return n;
    case "boolean":
      return n % 2 === 0;
    case "enum":
      return "a";
    case "json":
      return { n };
    case "component":
      return options["multiple"] === true ? [{}] : {};
    case "blocks":
      return [{ _type: "button" }];
    default:
      return undefined;
  }
}

async function readModels(client: Client): Promise<Map<string, ModelView>> {
  const { data } = await client.call<ModelView[]>("GET", "/models?limit=100");
  return new Map(data.map((model) => [`${model.typeModel}/${model.name}`, model]));
}

type Row = Record<string, unknown> & { id: string };

async function readRecords(client: Client): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  for (const name of COLLECTIONS) {
    const { data } = await client.call<Row[] | undefined>("GET", `/data/collections/${name}?status=draft`);
    for (const row of data ?? []) found.set(`collections/${name}/${row.id}`, row);
  }
  return found;
}

async function fill(client: Client, document: Asked): Promise<void> {
  for (const { typeModel, name, fields } of document.models) {
    if (typeModel !== "collections") continue;
    for (const n of [1, 2, 3]) {
      const values = fields.map((field): [string, unknown] => [
        field.name,
        n === 3 ? undefined : valueFor(field, n),
      ]);
      await client.create(name, Object.fromEntries(values));
    }
  }
}

const planOf = async (client: Client, document: Asked, allowDrop: string[]): Promise<Plan> => {
  const { status, data, error } = await client.call<Plan>("POST", "/models/plan", { ...document, allowDrop });
  if (status !== 200) throw new Error(JSON.stringify(error));
  return data;
};

/** Returns the losses that a plan asks to allow. */
const lossesIn = ({ conflicts }: Plan): string[] =>
  conflicts.flatMap(({ message }) => /by "([^"]+)" in allowDrop/.exec(message)?.[1] ?? []);

/** Compares the models before and after with what the plan said. */
function checkPlan(
  changes: readonly Change[],
  before: Map<string, ModelView>,
  after: Map<string, ModelView>,
): void {
  const definition = (field: FieldView): string => JSON.stringify({ ...field, name: null });
  for (const change of changes) {
    const key = `${change.typeModel}/${change.model}`;
    const [old, now] = [before.get(key), after.get(key) as ModelView];
    const { added, removed, renamed, changed } = change;
    if (!old) {
      expect([change.action, added]).toEqual(["create", now.fields.map(({ name }) => name)]);
      continue;
    }
    const nowNames = new Set(now.fields.map(({ name }) => name));
    const oldNames = new Set(old.fields.map(({ name }) => name));
    const isThere = (name: string): boolean => nowNames.has(renamed[name] ?? name);
    const comesFrom = new Map(Object.entries(renamed).map(([from, to]) => [to, from]));
    expect(removed.toSorted()).toEqual([...oldNames].filter((name) => !isThere(name)).toSorted());
    expect(added.toSorted()).toEqual(
      [...nowNames].filter((n) => !oldNames.has(comesFrom.get(n) ?? n)).toSorted(),
    );
    const differs = now.fields.filter((field) => {
      const from = old.fields.find(({ name }) => name === (comesFrom.get(field.name) ?? field.name));
      return from !== undefined && definition(from) !== definition(field);
    });
    expect(changed.toSorted()).toEqual(differs.map(({ name }) => name).toSorted());
    const rest = (model: ModelView): object => ({ ...model, version: null, updatedAt: null });
    const isSame = JSON.stringify(rest(old)) === JSON.stringify(rest(now));
    expect(change.action).toBe(isSame ? "none" : "change");
  }
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Compares the values of records before and after: what the plan did not drop is there. */
function checkValues(changes: readonly Change[], before: Map<string, Row>, after: Map<string, Row>): void {
  for (const [key, row] of before) {
    const change = changes.find(({ typeModel, model }) => key.startsWith(`${typeModel}/${model}/`));
    const now = after.get(key);
    expect(now, key).toBeDefined();
    for (const [name, value] of Object.entries(row)) {
      const isSystem = [
        "version",
        "updatedAt",
        "publishedAt",
        "firstPublishedAt",
        "publishAt",
        "unpublishAt",
        "status",
      ].includes(name);
      if (isSystem || isEmpty(value) || change?.removed.includes(name)) continue;
      // Objects of components lose and get members with the fields of the component.
      const isNested = typeof value === "object";
      const kept = now?.[change?.renamed[name] ?? name];
      if (isNested) expect(kept, `${key} ${name}`).not.toBeNull();
      else expect(kept, `${key} ${name}`).toEqual(value);
    }
  }
}

/** Applies a document in the isolate's own code, and ends at a call of the database. @returns whether it was ended */
async function applyAndDie(
  client: Client,
  document: Asked,
  allowDrop: string[],
  hash: string,
  call: number,
): Promise<boolean> {
  const failing = failingD1(bindings.DB, { call, at: call % 2 === 0 ? "before" : "after" }, newProcess(true));
  const space = await readSpaceById(database(bindings.DB), client.space.id);
  if (!space) throw new Error("no space");
  const writing = {
    db: database(failing.db),
    space,
    origin: OF_SYSTEM,
    now: Date.now(),
    queries: { queries: 0 },
  };
  const asked = { document: document as unknown as ModelsDocument, allowDrop };
  try {
    await applyDocument(writing, asked, hash);
  } catch (error) {
    if (!failing.failed()) throw error;
  }
  return failing.failed();
}

/** The pairs are the same in each run, so that a failure can be looked at. */
const SEED = 20_261_127;

interface Tally {
  applied: number;
  refused: number;
  killed: number;
}

/** Takes a space to a document, and checks all that was promised. False if something stood against it. */
async function goTo(client: Client, document: Asked, kill: number | null, tally: Tally): Promise<boolean> {
  const models = await readModels(client);
  const first = await planOf(client, document, []);
  const allowDrop = lossesIn(first);
  const planned = await planOf(client, document, allowDrop);
  const refused = planned.conflicts.length > 0;
  if (refused || allowDrop.length > 0) {
    const body = { ...document, hash: first.hash, allowDrop: refused ? allowDrop : [] };
    expect((await client.call("POST", "/models/apply", body)).status).toBe(409);
    expect(await readModels(client)).toEqual(models);
  }
  if (refused) {
    tally.refused += 1;
    return false;
  }
  const records = await readRecords(client);
  if (kill !== null && (await applyAndDie(client, document, allowDrop, planned.hash, kill)))
    tally.killed += 1;
  const rest = await planOf(client, document, allowDrop);
  const body = { ...document, hash: rest.hash, allowDrop };
  const reply = await client.call<{ changes: Change[]; isComplete: boolean }>("POST", "/models/apply", body);
  expect(reply.error).toBeUndefined();
  expect(reply.data).toMatchObject({
    isComplete: true,
    changes: rest.changes.filter(({ action }) => action !== "none"),
  });
  checkPlan(planned.changes, models, await readModels(client));
  checkValues(planned.changes, records, await readRecords(client));
  const again = await planOf(client, document, []);
  expect(again).toMatchObject({ conflicts: [] });
  expect(again.changes.filter(({ action }) => action !== "none")).toEqual([]);
  const empty = await client.call<{ changes: Change[] }>("POST", "/models/apply", {
    ...document,
    hash: again.hash,
  });
  expect([empty.status, empty.data.changes]).toEqual([200, []]);
  tally.applied += 1;
  return true;
}

describe("random documents", () => {
  it("are planned exactly, applied once, and ended after a kill, from one to another and back", async () => {
    const tally: Tally = { applied: 0, refused: 0, killed: 0 };
    await fc.assert(
      fc.asyncProperty(
        models,
        models,
        fc.option(fc.integer({ min: 4, max: 120 })),
        async (from, to, kill) => {
          const client = await Client.make();
          expect(await goTo(client, from, null, tally)).toBe(true);
          await fill(client, from);
          if (await goTo(client, to, kill, tally)) await goTo(client, from, kill, tally);
        },
      ),
      { numRuns: rounds(3, 50), endOnFailure: true, seed: SEED },
    );
    expect(tally.applied).toBeGreaterThanOrEqual(rounds(3, 60));
    expect(tally.killed).toBeGreaterThan(0);
  });
});
