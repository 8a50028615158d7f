/**
 * D1 lost at any point of a change of keys, members, settings, spaces and webhooks, of a backup or of an import: there is
 * never a change without its line in the audit, and never a line without its change (RULES 14.1).
 */
import { afterEach, describe, expect, it } from "vitest";
import { createApp } from "../../../src/edge/app.ts";
import { ofRing } from "../../support/ring.ts";
import { failingD1, type FailingD1, type Failure } from "../support/bindings/failing-d1.ts";
import { Client } from "../support/api.ts";
import { copyRows } from "../support/content/copied-rows.ts";
import { BESIDE } from "../support/context.ts";
import { bindings, emptyStorage, tableNames } from "../support/rows.ts";
import { WRITES, type Write, type WriteCase } from "./writes.ts";

afterEach(emptyStorage);

const MANY_REQUESTS_MS = 600_000;
const app = createApp();

/** Flows whose rows stand in one database; those of records, media and models have tests of their own. */
const NAMES = [
  ...["createKey", "revokeKey", "createPreviewToken"],
  ...["createMember", "updateMember", "deleteMember", "endMemberSessions", "deleteSession"],
  ...["createWebhook", "updateWebhook", "deleteWebhook"],
  ...["updateSpace", "deleteSpace", "importLines", "makeBackup", "removeOwnBackup"],
];

/** The flow that goes on beside its answer. */
const MADE_BESIDE = "makeBackup";

const METHODS = new Map(createApp().descriptions.map(({ operationId, method }) => [operationId, method]));
const flowOf = (name: string): [string, string, WriteCase["prepare"]] => [
  name,
  METHODS.get(name) ?? "",
  (WRITES[name] as WriteCase).prepare,
];

const FLOWS: [string, string, WriteCase["prepare"]][] = [
  ...NAMES.map(flowOf),
  ["settings", "patch", () => Promise.resolve({ path: "/settings", body: { quality: 95 } })],
  ["locales", "patch", () => Promise.resolve({ path: "/settings", body: { locales: [{ code: "de" }] } })],
  [
    "a dropped locale",
    "patch",
    async (client) => {
      await client.call("PATCH", "/settings", { locales: [{ code: "de" }, { code: "en" }] });
      return { path: "/settings", body: { locales: [{ code: "de" }], dropLocales: ["en"] } };
    },
  ],
  ["a new name", "patch", () => Promise.resolve({ path: "", body: { name: "another-name" } })],
];

/** Tables of bookkeeping, which an attempt may change before its batch, and which no line tells of. */
const BESIDE_CHANGES = new Set(["events", "doomed_objects", "purges", "purge_allowance", "space_totals"]);

/** Returns the rows of all tables that lines tell of, and the actions of all lines. */
async function stateNow(): Promise<{ rows: string; lines: string }> {
  const names = (await tableNames()).filter((name) => !name.startsWith("copy_of_"));
  const found = await bindings.DB.batch(names.map((name) => bindings.DB.prepare(`SELECT * FROM "${name}"`)));
  const tables = names.map((name, at) => [name, found[at]?.results] as const);
  const events = tables.find(([name]) => name === "events")?.[1] ?? [];
  return {
    rows: JSON.stringify(tables.filter(([name]) => !BESIDE_CHANGES.has(name))),
    lines: JSON.stringify(events.map((event) => (event as { action: string }).action)),
  };
}

/** A request of which a test loses the database. */
interface Asked {
  address: string;
  method: string;
  write: Write;
  /** Whether an attempt ends with the work beside the answer. */
  isBesideToo?: boolean;
}

async function send(
  { address, method, write, isBesideToo = false }: Asked,
  failure: Failure,
): Promise<FailingD1> {
  const lost = failingD1(bindings.DB, failure);
  const beside: Promise<unknown>[] = [];
  const body = write.text ?? (write.body === undefined ? null : JSON.stringify(write.body));
  const response = await app.request(
    address,
    {
      method: method.toUpperCase(),
      headers: {
        Authorization: `Bearer ${write.key ?? bindings.ROOT_TOKEN}`,
        "Content-Type": "application/json",
        ...write.headers,
      },
      ...(body !== null && { body }),
    },
    { ...bindings, DB: lost.db },
    isBesideToo ? { ...BESIDE, waitUntil: (work: Promise<unknown>) => void beside.push(work) } : BESIDE,
  );
  await response.text();
  // Work beside the answer may begin more of it.
  if (isBesideToo) while (beside.length > 0) await Promise.allSettled(beside.splice(0));
  return lost;
}

/** Tries a write with each failure. @returns how many times it was done, and how many times it was not */
async function tryAll(asked: Asked): Promise<{ done: number; not: number }> {
  const putBack = await copyRows();
  const before = await stateNow();
  const seen = { done: 0, not: 0 };
  let linesOfChange = "";
  const attempt = async (failure: Failure): Promise<FailingD1> => {
    await putBack();
    const lost = await send(asked, failure);
    const after = await stateNow();
    const isChanged = after.rows !== before.rows;
    expect([failure, after.lines !== before.lines]).toEqual([failure, isChanged]);
    if (isChanged) {
      seen.done += 1;
      linesOfChange ||= after.lines;
      expect([failure, after.lines]).toEqual([failure, linesOfChange]);
    } else seen.not += 1;
    return lost;
  };
  // Calls behind the change depend on what the isolate remembers, so a failure may find no call to fail: that attempt is
  // one without a failure.
  for (let call = 0; ; call++) {
    const before = await attempt({ call, at: "before" });
    if (!before.failed()) return seen;
    const moments = ["after" as const, ...Array.from({ length: before.batchStatements() }, (_, at) => at)];
    for (const at of ofRing(moments, 4)) await attempt({ call, at });
  }
}

describe("a change and its line are written together, or not at all, when D1 is lost at any point of", () => {
  it.each(FLOWS)(
    "%s",
    async (name, method, prepare) => {
      const client = await Client.make();
      const write = await prepare(client);
      const { done, not } = await tryAll({
        address: `/api/v1/${client.space.name}${write.path}`,
        ...{ method, write },
        isBesideToo: name === MADE_BESIDE,
      });
      expect(done).toBeGreaterThan(0);
      expect(not).toBeGreaterThan(0);
    },
    MANY_REQUESTS_MS,
  );

  it(
    "the making of a space",
    async () => {
      await Client.make();
      const { done, not } = await tryAll({
        ...{ address: "/api/v1/spaces", method: "post" },
        write: { path: "", body: { name: "made-here" } },
      });
      expect(done).toBeGreaterThan(0);
      expect(not).toBeGreaterThan(0);
    },
    MANY_REQUESTS_MS,
  );
});
