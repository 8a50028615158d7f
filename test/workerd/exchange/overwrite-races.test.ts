/** An editor who writes while an import publishes other contents of the record (RULES 18.4). */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { copied, exported } from "../support/exchange.ts";
import { afterOther, Import } from "../support/import-run.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const ok = async (reply: Promise<{ status: number; error?: unknown }>): Promise<void> => {
  const { status, error } = await reply;
  expect(status, JSON.stringify(error)).toBeLessThan(300);
};

/** The batches of an import that publishes one content: its draft, the publication, and the draft put back. */
const BATCHES = [1, 2, 3, 4];

describe.each([false, true])(
  "an editor who saves while an import publishes, with locales: %s",
  (isLocalized) => {
    it.each(BATCHES)(
      "before its batch %i, keeps the draft, and nothing of it is published",
      async (batch) => {
        const [from, to] = [await Client.make(), await Client.make()];
        if (isLocalized)
          await ok(from.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] }));
        const localized = { localized: isLocalized };
        const fields = [
          { name: "title", type: "string", ...localized },
          { name: "lead", type: "string" },
        ];
        const model = { typeModel: "collections", name: "posts", drafts: true, public: true, fields };
        await ok(from.call("POST", "/models", model));
        const path = `/data/collections/posts/${await from.create("posts", { title: "First", lead: "First" })}`;
        const german = (client: Client, title: string): Promise<void> =>
          isLocalized ? ok(client.call("PUT", `${path}?locale=de`, { title })) : Promise.resolve();
        await german(from, "Erster");
        await ok(from.call("POST", `${path}/publish`, {}));
        await copied(from, to, (await exported(from)).lines);
        await ok(from.call("PUT", path, { title: "New", lead: "New" }));
        await german(from, "Neu");
        await ok(from.call("POST", `${path}/publish`, {}));
        await ok(to.call("PUT", path, { title: "Draft", lead: "Draft" }));
        await german(to, "Entwurf");

        const published = (await exported(from)).lines
          .map((text) => JSON.parse(text) as { kind: string })
          .filter(({ kind }) => kind === "published");
        const editor = afterOther(bindings.DB, () => ok(to.call("PUT", path, { title: "Mine" })), batch);
        const running = await Import.begin(to, true, 0, editor);
        expect(await running.run(...published)).toMatchObject({ imported: 1, refused: [] });
        if (batch === BATCHES.at(-1)) await ok(to.call("PUT", path, { title: "Mine" }));

        const shown = async (query: string, key?: null): Promise<unknown> =>
          (await to.call("GET", `${path}${query}`, undefined, key === null ? { key } : {})).data;
        expect(await shown("", null)).toMatchObject({ title: "New", lead: "New" });
        expect(await shown("?status=draft")).toMatchObject({ title: "Mine", lead: "Draft" });
        if (!isLocalized) return;
        expect(await shown("?locale=de", null)).toMatchObject({ title: "Neu" });
        expect(await shown("?locale=de&status=draft")).toMatchObject({ title: "Entwurf" });
      },
    );
  },
);

describe.each([false, true])("an import that publishes over a draft, with locales: %s", (isLocalized) => {
  let to: Client;
  let path: string;
  let published: { kind: string }[];

  const draft = async (): Promise<Record<string, unknown>> =>
    (await to.call("GET", `${path}?status=draft`)).data;

  /** Makes a space with a record, and the line of another content of it that is published elsewhere. */
  async function makePair(): Promise<void> {
    const from = await Client.make();
    to = await Client.make();
    if (isLocalized) await ok(from.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] }));
    const fields = [{ name: "title", type: "string", localized: isLocalized }];
    const model = { typeModel: "collections", name: "posts", drafts: true, public: true, fields };
    await ok(from.call("POST", "/models", model));
    path = `/data/collections/posts/${await from.create("posts", { title: "First" })}`;
    await ok(from.call("POST", `${path}/publish`, {}));
    await copied(from, to, (await exported(from)).lines);
    await ok(from.call("PUT", path, { title: "New" }));
    await ok(from.call("POST", `${path}/publish`, {}));
    published = (await exported(from)).lines
      .map((text) => JSON.parse(text) as { kind: string })
      .filter(({ kind }) => kind === "published");
  }

  it("publishes the line after an editor saved in a draft that had its content", async () => {
    await makePair();
    await ok(to.call("PUT", path, { title: "New" }));
    const editor = afterOther(bindings.DB, () => ok(to.call("PUT", path, { title: "Mine" })));
    const running = await Import.begin(to, true, 0, editor);
    expect(await running.run(...published)).toMatchObject({ imported: 1, refused: [] });
    expect((await to.call("GET", path, undefined, { key: null })).data).toMatchObject({ title: "New" });
    expect(await draft()).toMatchObject({ title: "Mine" });
  });

  it.each(BATCHES)("keeps the plans that an editor makes before its batch %i", async (batch) => {
    await makePair();
    const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    const [first, second, mine] = [day(1), day(2), day(3)];
    const plan = (step: string, at: string | null): Promise<void> =>
      ok(to.call("POST", `${path}/${step}`, { at, ...(isLocalized && { locales: ["en"] }) }));
    await ok(to.call("PUT", path, { title: "Draft" }));
    await plan("publish", first);
    await plan("unpublish", second);
    const other = afterOther(bindings.DB, () => plan("unpublish", mine), batch);
    const running = await Import.begin(to, true, 0, other);
    expect(await running.run(...published)).toMatchObject({ imported: 1, refused: [] });
    expect(await draft()).toMatchObject({ title: "Draft", publishAt: first, unpublishAt: mine });
  });
});
