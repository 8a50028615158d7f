/** Webhooks of a space that is exported and imported (RULES 15.1 and 18.4). */
import { expect, it } from "vitest";
import { WEBHOOKS } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { copied, exported, imported, timeless } from "../support/exchange.ts";
import { makeWebhook, URL_OF_RECEIVER } from "../webhooks/support.ts";

cleanBetweenTests();

const CREATED = "2026-01-02T03:04:05.678Z";
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const line = (more: object = {}): string =>
  JSON.stringify({
    ...{ kind: "webhook", id: ID, url: URL_OF_RECEIVER, events: ["*"], createdAt: CREATED },
    ...more,
  });

it("a space with webhooks comes back whole, with webhooks that are disabled and have no secret", async () => {
  const from = await Client.make();
  await from.model("posts", [{ name: "title", type: "string" }]);
  await from.call("POST", "/data/collections/posts", { title: "One" });
  const named = await makeWebhook(from, { name: "Site", models: ["posts"], events: ["record.published"] });
  await makeWebhook(from);
  const whole = await exported(from);
  const to = await Client.make();
  await copied(from, to, whole.lines);
  expect(timeless((await exported(to)).lines)).toEqual(timeless(whole.lines));
  expect(await imported(to, whole.lines)).toMatchObject({ imported: 0, unchanged: whole.lines.length });
  const path = `/webhooks/${named.id}`;
  expect((await to.call("GET", path)).data).toMatchObject({
    ...{ enabled: false, hasSecret: false, name: "Site", models: ["posts"], events: ["record.published"] },
  });
  expect((await to.call("PATCH", path, { enabled: true })).status).toBe(409);
  const rotated = await to.call("PATCH", path, { enabled: true, secret: "rotate" });
  expect(rotated.data).toMatchObject({ enabled: true, secret: expect.stringMatching(/^whsec_/) as string });
});

it("a line that does not fit is listed with its path, and one that differs is left", async () => {
  const client = await Client.make();
  expect(await imported(client, [line()])).toMatchObject({ imported: 1, refused: [] });
  const { refused } = await imported(client, [
    line({ url: "https://else.example/" }),
    line({ id: "7" }),
    line({ url: "https://127.0.0.1/" }),
    line({ events: ["nothing"] }),
    line({ createdAt: "yesterday" }),
    line({ secret: "whsec_AAAA" }),
  ]);
  expect(refused.map(({ line, path, message }) => [line, path, message.split(":")[0]])).toEqual([
    [1, "", "DIFFERS"],
    [2, "id", "must be a ULID"],
    [3, "url", expect.stringMatching(/^must be https/)],
    [4, "events.0", expect.anything()],
    [5, "createdAt", expect.anything()],
    [6, "", expect.stringMatching(/secret/)],
  ]);
});

it("a webhook above what a space may have is listed, and those of another space do not count", async () => {
  const [client, other] = [await Client.make(), await Client.make()];
  await imported(other, [line()]);
  const ids = Array.from({ length: WEBHOOKS.perSpaceMax - 1 }, (_, n) => ID.slice(0, -2) + String(10 + n));
  const lines = [line(), ...ids.map((id) => line({ id })), line({ id: `${ID.slice(0, -2)}99` })];
  const { imported: count, refused } = await imported(client, lines);
  expect([count, refused]).toMatchObject([
    WEBHOOKS.perSpaceMax,
    [{ line: lines.length, message: expect.stringContaining("at most 20") as string }],
  ]);
});
