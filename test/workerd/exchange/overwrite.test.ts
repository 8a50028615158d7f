/** Imports that bring what differs in the space to what the lines say (RULES 18.4). */
import { beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../support/api.ts";
import { Client as Made } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { copied, exported, imported, putFile, request, upload } from "../support/exchange.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();

const LATER = new Date(Date.now() + 86_400_000).toISOString();

type Line = Record<string, unknown> & { kind: string; id?: string; data?: Record<string, unknown> };

/** Returns the lines of a space by what an overwriting import makes equal: without versions, times and histories. */
async function stateOf(client: Client): Promise<unknown[]> {
  const { lines } = await exported(client);
  return lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ kind }) => ["record", "published", "trash"].includes(kind))
    .map(({ kind, id, data, publishAt, unpublishAt, editions }) => {
      const plans = Object.entries((editions ?? {}) as Record<string, Record<string, unknown>>).map(
        ([code, one]) => [code, "publishedVersion" in one, one["publishAt"], one["unpublishAt"]],
      );
      const some = plans.filter(([, ...rest]) => rest.some((one) => one !== false && one !== undefined));
      return { kind, id, data, publishAt, unpublishAt, plans: some };
    })
    .sort((a, b) => (`${a.kind}${String(a.id)}` < `${b.kind}${String(b.id)}` ? -1 : 1));
}

const path = (model: string, id: string): string => `/data/collections/${model}/${id}`;

async function ok(reply: Promise<{ status: number; error?: unknown }>): Promise<void> {
  const { status, error } = await reply;
  expect(status, JSON.stringify(error)).toBeLessThan(300);
}

interface Pair {
  from: Client;
  to: Client;
  ids: string[];
}

/** Makes a space with drafts, published contents and plans, and a copy of it. */
async function makePair(isLocalized: boolean): Promise<Pair> {
  const [from, to] = [await Made.make(), await Made.make()];
  if (isLocalized) await ok(from.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] }));
  const localized = isLocalized ? { localized: true } : {};
  await ok(
    from.call("POST", "/models", {
      ...{ typeModel: "collections", name: "posts", drafts: true, public: true },
      fields: [
        { name: "title", type: "string", required: true, ...localized },
        { name: "n", type: "number" },
      ],
    }),
  );
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) ids.push(await from.create("posts", { title: `Post ${n}`, n }));
  for (const n of [0, 1, 2, 6]) await ok(from.call("POST", `${path("posts", ids[n] ?? "")}/publish`));
  await ok(from.call("PUT", path("posts", ids[1] ?? ""), { title: "Draft 1" }));
  if (isLocalized) {
    await ok(from.call("PUT", `${path("posts", ids[0] ?? "")}?locale=de`, { title: "Artikel 0" }));
    await ok(from.call("POST", `${path("posts", ids[0] ?? "")}/publish`, { locales: ["de"] }));
    await ok(from.call("PUT", `${path("posts", ids[1] ?? "")}?locale=de`, { title: "Artikel 1" }));
  }
  await ok(from.call("POST", `${path("posts", ids[3] ?? "")}/publish`, { at: LATER }));
  await ok(from.call("DELETE", path("posts", ids[5] ?? "")));
  await copied(from, to, (await exported(from)).lines);
  return { from, to, ids };
}

/** Changes in the copy everything that a line tells of a record. */
async function diverge({ to, ids }: Pair, isLocalized: boolean): Promise<void> {
  const at = (n: number): string => path("posts", ids[n] ?? "");
  await ok(to.call("PUT", at(0), { title: "Other 0", n: 100 }));
  await ok(to.call("POST", `${at(0)}/publish`));
  if (isLocalized) {
    await ok(to.call("PUT", `${at(0)}?locale=de`, { title: "Anders 0" }));
    await ok(to.call("POST", `${at(0)}/publish`, { locales: ["de"] }));
    await ok(to.call("PUT", `${at(2)}?locale=de`, { title: "Nur hier" }));
    await ok(to.call("POST", `${at(2)}/publish`, { locales: ["de"] }));
  }
  await ok(to.call("PUT", at(1), { title: "Other 1" }));
  await ok(to.call("POST", `${at(1)}/unpublish`));
  await ok(to.call("DELETE", at(2)));
  await ok(to.call("POST", `${at(3)}/publish`, { at: null }));
  await ok(to.call("PUT", at(4), { title: "Other 4" }));
  await ok(to.call("POST", `${at(4)}/publish`));
  await ok(to.call("POST", `/trash/${ids[5]}/restore`));
  await ok(to.call("POST", `${at(6)}/unpublish`, { at: LATER }));
}

describe.each([false, true])("an overwriting import, with locales: %s", (isLocalized) => {
  let pair: Pair;
  let lines: string[];

  beforeEach(async () => {
    pair = await makePair(isLocalized);
    lines = (await exported(pair.from)).lines;
    await diverge(pair, isLocalized);
  });

  it("brings contents, publications, plans and the trash to what the lines say, and a second one changes nothing", async () => {
    const { from, to } = pair;
    const first = await imported(to, lines, "?overwrite=true");
    const isHistory = ({ line }: { line: number }): boolean =>
      (JSON.parse(lines[line - 1] ?? "{}") as Line).kind === "version";
    expect(first.refused.filter((one) => !isHistory(one))).toEqual([]);
    expect(first.imported).toBeGreaterThan(5);
    expect(await stateOf(to)).toEqual(await stateOf(from));
    const second = await imported(to, lines, "?overwrite=true");
    expect(second.imported).toBe(0);
    expect(await stateOf(to)).toEqual(await stateOf(from));
    // The history keeps what the space had, and every record can be written again.
    const versions = await to.call<{ version: number }[]>(
      "GET",
      `${path("posts", pair.ids[4] ?? "")}/versions`,
    );
    expect(versions.data.length).toBeGreaterThan(2);
    for (const id of [0, 1, 2, 3, 4, 6])
      await ok(to.call("PUT", path("posts", pair.ids[id] ?? ""), { n: 7 }));
  });

  it("that does not overwrite leaves all that differs, publishes nothing, and takes no event of another history", async () => {
    const { from, to, ids } = pair;
    // The other side goes on, so that its lines have events that this space does not know.
    for (const n of [1, 4]) {
      await ok(from.call("PUT", path("posts", ids[n] ?? ""), { title: `Later ${n}` }));
      await ok(from.call("PUT", path("posts", ids[n] ?? ""), { title: `Even later ${n}` }));
      await ok(from.call("PUT", path("posts", ids[n] ?? ""), { title: `Last ${n}` }));
      await ok(from.call("POST", `${path("posts", ids[n] ?? "")}/publish`));
    }
    const before = (await exported(to)).lines.slice(1);
    const { lines: further } = await exported(from);
    const result = await imported(to, further);
    expect(result.imported).toBe(0);
    expect(result.refused.length).toBeGreaterThan(6);
    for (const { message } of result.refused) expect(message).toMatch(/^DIFFERS/);
    expect((await exported(to)).lines.slice(1)).toEqual(before);
    for (const n of [1, 4]) await ok(to.call("PUT", path("posts", ids[n] ?? ""), { n: 8 }));
  });
});

it("brings media to what their lines say: names, files, and whether they are in the trash", async () => {
  const [from, to] = [await Made.make(), await Made.make()];
  const ids = [
    await upload(from, 100, "a.gif"),
    await upload(from, 110, "b.gif"),
    await upload(from, 120, "c.gif"),
  ];
  await ok(from.call("DELETE", `/media/${ids[2]}`));
  const { lines } = await exported(from);
  await copied(from, to, lines);
  await ok(to.call("PATCH", `/media/${ids[0]}`, { filename: "other.gif" }));
  await request(to, "PUT", `/media/${ids[0]}/file`, {
    body: gifOf(130),
    headers: { "Content-Type": "image/gif" },
  });
  await ok(to.call("DELETE", `/media/${ids[1]}`));
  await ok(to.call("POST", `/trash/${ids[2]}/restore`));
  const { refused, waiting } = await imported(to, lines, "?overwrite=true");
  expect(refused).toEqual([]);
  expect(waiting.map(({ id }) => id)).toEqual([ids[0]]);
  expect((await putFile(to, ids[0] ?? "", gifOf(100), waiting[0]?.sha256 ?? "")).status).toBe(200);
  expect((await to.call("GET", `/media/${ids[0]}`)).data).toMatchObject({
    filename: "a.gif",
    masterVersion: 3,
  });
  expect((await to.call("GET", `/media/${ids[1]}`)).status).toBe(200);
  expect((await to.call("GET", `/media/${ids[2]}`)).status).toBe(404);
  expect(await imported(to, lines, "?overwrite=true")).toMatchObject({
    imported: 0,
    refused: [],
    waiting: [],
  });
});

it("brings a webhook to what its line says, and keeps its state and secret", async () => {
  const from = await Made.make();
  const hook = { url: "https://receiver.example/hook", events: ["record.published"], name: "Site" };
  const { data } = await from.call("POST", "/webhooks", hook);
  const { lines } = await exported(from);
  await ok(from.call("PATCH", `/webhooks/${String(data["id"])}`, { events: ["*"], name: "Other" }));
  expect((await imported(from, lines)).refused).toMatchObject([
    { message: expect.stringMatching("DIFFERS") as string },
  ]);
  expect(await imported(from, lines, "?overwrite=true")).toMatchObject({ imported: 1, refused: [] });
  expect((await from.call("GET", `/webhooks/${String(data["id"])}`)).data).toMatchObject({
    ...hook,
    enabled: true,
    hasSecret: true,
  });
  expect(await imported(from, lines, "?overwrite=true")).toMatchObject({ imported: 0, refused: [] });
});
