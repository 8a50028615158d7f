/** Imports beside other writes, and near the end of their queries (RULES 18.4). */
import { describe, expect, it } from "vitest";
import { EXCHANGE } from "../../../src/limits.ts";
import { importWebhooks } from "../../../src/edge/exchange/import/import-webhooks.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { exported, upload } from "../support/exchange.ts";
import { afterOther, Import } from "../support/import-run.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const idOf = (n: number): string => `01ARZ3NDEKTSV4RRFFQ${String(n).padStart(7, "0")}`;
const address = (n: number) => ({ typeModel: "collections", model: "posts", id: idOf(n) });
const TIMES = { version: 1, createdAt: "2026-01-02T03:04:05.678Z", updatedAt: "2026-01-02T03:04:05.678Z" };
const record = (n: number, title: unknown, more: object = {}): object => ({
  ...{ kind: "record", ...address(n), ...TIMES, ...more, data: { title } },
});

async function addField(client: Client, title: object): Promise<void> {
  const fields = [title, { name: "more", type: "string" }];
  expect((await client.call("PUT", "/models/collections/posts", { fields })).status).toBe(200);
}

const SEND_AGAIN = expect.stringContaining("Send the line again") as string;

describe("an import (RULES 18.4)", () => {
  it("stops overwriting where its queries end, and leaves the other lines", async () => {
    const client = await Client.make();
    await client.model("posts", [{ name: "title", type: "string" }]);
    const lines = (title: string): object[] => Array.from({ length: 20 }, (_, n) => record(n, title));
    expect((await (await Import.begin(client)).run(...lines("One"))).imported).toBe(20);
    const near = await Import.begin(client, true, EXCHANGE.queriesMax - 12);
    const first = await near.run(...lines("Two"));
    expect(first.imported).toBeGreaterThan(0);
    expect(first.refused.length).toBe(20 - first.imported);
    expect(first.refused.at(-1)).toMatchObject({ line: 20, message: SEND_AGAIN });
    expect(near.count.queries).toBeLessThan(EXCHANGE.queriesMax + 5);
    const second = await (await Import.begin(client, true)).run(...lines("Two"));
    expect(second).toMatchObject({ imported: 20 - first.imported, unchanged: first.imported, refused: [] });
  });

  it("sets the plans of all locales of a record with few queries", async () => {
    const client = await Client.make();
    const codes = "en de fr it es pt nl sv da nb fi pl cs sk hu ro bg el tr uk".split(" ");
    await client.call("PATCH", "/settings", { locales: codes.map((code) => ({ code })) });
    const fields = [{ name: "title", type: "string", localized: true }];
    await client.call("POST", "/models", { typeModel: "collections", name: "posts", drafts: true, fields });
    const title = Object.fromEntries(codes.map((code) => [code, `In ${code}`]));
    const line = (second: number): object => {
      const at = (n: number) => new Date(Date.UTC(2100, 0, 1 + n, 0, 0, second)).toISOString();
      const plans = (n: number) => ({ publishAt: at(n), unpublishAt: at(n + 30) });
      const editions = codes.map((code, n) => [code, { version: 1, ...(n > 0 && plans(n)) }]);
      const more = { ...plans(0), editions: Object.fromEntries(editions) as object };
      return { ...record(0, title), ...more };
    };
    expect(await (await Import.begin(client)).run(line(1))).toMatchObject({ imported: 1, refused: [] });
    const running = await Import.begin(client, true);
    expect(await running.run(line(2))).toMatchObject({ imported: 1, refused: [] });
    expect(running.count.queries).toBeLessThan(30);
    expect(await (await Import.begin(client, true)).run(line(2))).toMatchObject({ unchanged: 1 });
  });

  it("goes on with other media where one is removed for good meanwhile", async () => {
    const client = await Client.make();
    const id = await upload(client, 100, "a.gif");
    const line = JSON.parse((await exported(client)).lines[1] ?? "") as object;
    await client.call("DELETE", `/media/${id}`);
    const removed = afterOther(bindings.DB, () => client.call("DELETE", `/trash/${id}`));
    const running = await Import.begin(client, true, 0, removed);
    expect(await running.run(line, { ...line, id: idOf(1) })).toMatchObject({
      ...{ imported: 1, refused: [{ line: 1, path: "id" }], waiting: [{ id: idOf(1) }] },
    });
  });

  it("refuses a webhook that is removed meanwhile", async () => {
    const client = await Client.make();
    const hook = { url: "https://receiver.example/hook", events: ["record.published"], name: "Site" };
    const id = String((await client.call("POST", "/webhooks", hook)).data["id"]);
    const removed = afterOther(bindings.DB, () => client.call("DELETE", `/webhooks/${id}`));
    const { context } = await Import.begin(client, true, 0, removed);
    const line = { ...hook, kind: "webhook", id, createdAt: Date.now(), name: "Other" } as const;
    await importWebhooks(context, [{ n: 1, line }]);
    expect(context.report.result()).toMatchObject({ imported: 0, refused: [{ message: SEND_AGAIN }] });
  });

  it("counts each line once if the model changes while it runs", async () => {
    const client = await Client.make();
    await client.model("posts", [{ name: "title", type: "string" }]);
    await (await Import.begin(client)).run(record(0, "Same"), record(1, "Held"));
    const running = await Import.begin(client);
    await running.context.model("collections", "posts");
    await addField(client, { name: "title", type: "string" });
    const result = await running.run(record(0, "Same"), record(1, "Other"), record(2, "New"));
    expect(result).toMatchObject({ imported: 1, unchanged: 1, refused: [{ line: 2 }] });
  });

  it("asks for a locale's line again if the model has changed since it was read", async () => {
    const client = await Client.make();
    await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
    await client.model("posts", [{ name: "title", type: "string", localized: true }]);
    const editions = { en: { version: 2 }, de: { version: 2 } };
    const actor = null;
    const first = await (
      await Import.begin(client)
    ).run(record(0, { en: "New" }, { version: 2, editions }), {
      ...{ kind: "version", ...address(0), no: 1, version: 1, event: "created", isContent: true, actor },
      ...{ createdAt: TIMES.createdAt, changed: ["title"], locales: ["en"], data: { title: { en: "Old" } } },
    });
    expect(first.refused).toEqual([]);
    const running = await Import.begin(client);
    await running.context.model("collections", "posts");
    await addField(client, { name: "title", type: "string", localized: true });
    const lines = [
      { kind: "record", ...address(0), locale: "de", data: { title: "Neu" } },
      { kind: "version", ...address(0), no: 1, locale: "de", data: { title: "Alt" } },
    ];
    const { imported, refused } = await running.run(...lines);
    expect([imported, refused]).toMatchObject([
      0,
      [
        { line: 1, message: SEND_AGAIN },
        { line: 2, message: SEND_AGAIN },
      ],
    ]);
    expect(await (await Import.begin(client)).run(...lines)).toMatchObject({ imported: 2, refused: [] });
  });
});
