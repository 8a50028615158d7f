/** The writes of records, of models and of an import. */
import { EXCHANGE_TYPE } from "../../../src/exchange/lines.ts";
import type { Stream } from "./stream.ts";

interface Collection {
  name: string;
  list: string;
}

/** Lines of one import: they stand in several batches. */
const IMPORTED = 150;

const FIELDS = [{ name: "title", type: "string" }];

async function makeCollection(s: Stream): Promise<Collection> {
  const name = s.mark();
  await s.write({
    send: { method: "POST", path: "/models", json: modelOf(name) },
    lines: () => modelLines(s, "created", name),
  });
  return { name, list: `/data/collections/${name}` };
}

const modelOf = (name: string, more: object[] = []): object => ({
  ...{ typeModel: "collections", name, drafts: true },
  fields: [...FIELDS, ...more],
});

/** Returns the line of a model that is there, in a version from `version` on. */
const modelLines = (s: Stream, verb: string, name: string, version = 1): string[] =>
  s.rows
    .ids(
      "SELECT name FROM models WHERE space_id = ? AND name = ? AND version >= ?",
      s.space.id,
      name,
      version,
    )
    .map((found) => `model.${verb} ${found}`);

/** Returns the ids of records in whose values a text stands. */
const recordsWith = (s: Stream, text: string): string[] =>
  s.rows.ids("SELECT DISTINCT id FROM records WHERE space_id = ? AND instr(data, ?) > 0", s.space.id, text);

/** Returns the line of a record for which a condition of SQL holds. */
const recordLines = (s: Stream, verb: string, id: string, condition: string): string[] =>
  s.rows
    .ids(`SELECT DISTINCT id FROM records WHERE space_id = ? AND id = ? AND ${condition}`, s.space.id, id)
    .map((found) => `record.${verb} ${found}`);

/** Makes a record. @returns its id */
async function makeRecord(s: Stream, { list }: Collection): Promise<string> {
  const title = s.mark();
  await s.write({
    send: { method: "POST", path: list, json: { title } },
    lines: () => recordsWith(s, title).map((id) => `record.created ${id}`),
  });
  return recordsWith(s, title)[0] ?? "";
}

/** Makes, changes, publishes and removes a record, and makes another that stays. */
export async function lifeOfRecord(s: Stream): Promise<void> {
  const collection = await makeCollection(s);
  const id = await makeRecord(s, collection);
  const path = `${collection.list}/${id}`;
  const step = (method: string, at: string, json: object | undefined, verb: string, condition: string) =>
    s.write({
      send: { method, path: at, ...(json && { json }) },
      lines: () => recordLines(s, verb, id, condition),
    });
  await step("PATCH", path, { title: s.mark() }, "updated", "version = 2");
  await step("PUT", path, { title: s.mark() }, "updated", "version = 3");
  await step("POST", `${path}/publish`, undefined, "published", "published_version = 3");
  await step("PATCH", path, { title: s.mark() }, "updated", "version = 4");
  await step("POST", `${path}/publish`, undefined, "published", "published_version = 4");
  await step("POST", `${path}/unpublish`, undefined, "unpublished", "published_version IS NULL");
  await step("POST", `${path}/versions/1/restore`, undefined, "restored", "version = 5");
  const at = "2099-01-02T03:04:05.000Z";
  await step("POST", `${path}/publish`, { at }, "scheduled", "publish_at IS NOT NULL");
  await step("DELETE", path, undefined, "trashed", "deleted_at IS NOT NULL");
  await step("POST", `/trash/${id}/restore`, undefined, "restored", "deleted_at IS NULL");
  await step("DELETE", path, undefined, "trashed", "deleted_at IS NOT NULL");
  await s.write({
    send: { method: "DELETE", path: `/trash/${id}` },
    lines: () =>
      s.rows.has("SELECT 1 FROM records WHERE space_id = ? AND id = ?", s.space.id, id)
        ? []
        : [`record.removed ${id}`],
  });
  // Its history is compared with the audit at the end.
  const kept = await makeRecord(s, collection);
  for (const version of [2, 3])
    await s.write({
      send: { method: "PATCH", path: `${collection.list}/${kept}`, json: { title: s.mark() } },
      lines: () => recordLines(s, "updated", kept, `version = ${version}`),
    });
}

/** Writes several records in one request, and imports others. */
export async function manyRecords(s: Stream): Promise<void> {
  const collection = await makeCollection(s);
  const [id, published] = [await makeRecord(s, collection), await makeRecord(s, collection)];
  const [first, second, changed] = [s.mark(), s.mark(), s.mark()];
  const operations = [
    { op: "create", data: { title: first } },
    { op: "create", data: { title: second } },
    { op: "update", id, data: { title: changed } },
    { op: "publish", id: published },
  ];
  await s.write({
    send: { method: "POST", path: `${collection.list}/bulk`, json: { operations } },
    count: 4,
    lines: () => [
      ...[first, second].flatMap((text) => recordsWith(s, text).map((found) => `record.created ${found}`)),
      ...recordLines(s, "updated", id, "version = 2"),
      ...recordLines(s, "published", published, "published_version = 1"),
    ],
  });
  const times = { createdAt: "2026-01-02T03:04:05.678Z", updatedAt: "2026-01-02T03:04:05.678Z" };
  const ids = Array.from({ length: IMPORTED }, () => s.ulid());
  const of = { kind: "record", typeModel: "collections", model: collection.name, version: 1, ...times };
  const text = ids.map((one) => JSON.stringify({ ...of, id: one, data: { title: one } })).join("\n");
  await s.write({
    send: {
      method: "POST",
      path: "/import",
      bytes: new TextEncoder().encode(text),
      headers: { "Content-Type": EXCHANGE_TYPE },
    },
    count: ids.length,
    lines: () =>
      ids
        .filter((one) => s.rows.has("SELECT 1 FROM records WHERE space_id = ? AND id = ?", s.space.id, one))
        .map((one) => `import.created ${one}`),
  });
}

/** Changes a model, applies models as code, and removes the models. */
export async function lifeOfModel(s: Stream): Promise<void> {
  const { name } = await makeCollection(s);
  const path = `/models/collections/${name}`;
  await s.write({
    send: {
      method: "PUT",
      path,
      json: { drafts: true, fields: [...FIELDS, { name: "n", type: "number" }] },
    },
    lines: () => modelLines(s, "changed", name, 2),
  });
  const other = s.mark();
  const document = {
    models: [
      modelOf(name, [
        { name: "n", type: "number" },
        { name: "k", type: "string" },
      ]),
      modelOf(other),
    ],
  };
  await s.write({
    send: async () => {
      const { hash } = await s.ask<{ hash: string }>({
        method: "POST",
        path: "/models/plan",
        json: document,
      });
      return { method: "POST", path: "/models/apply", json: { ...document, hash } };
    },
    count: 2,
    lines: () => [...modelLines(s, "changed", name, 3), ...modelLines(s, "created", other)],
  });
  for (const gone of [name, other])
    await s.write({
      send: { method: "DELETE", path: `/models/collections/${gone}` },
      lines: () => (modelLines(s, "created", gone).length > 0 ? [] : [`model.removed ${gone}`]),
    });
}
