/** Origins that lie, lead to this deployment, or change while their files are removed (RULES 13.4 to 13.6). */
import { describe, expect, it } from "vitest";
import { DAY_MS, PLACEHOLDER } from "../../../src/limits.ts";
import { builder } from "../support/builder/fake-builder.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { request } from "../support/http.ts";
import { queueOf } from "../support/queue.ts";
import { ORIGIN } from "../support/remote/origin.ts";
import { useRemoteSite } from "../support/remote/site.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

const THIS_DEPLOYMENT = "https://images.test";

/** Waits until nothing is fetched and nothing waits. */
const rest = (): Promise<void> =>
  eventually(async () => {
    await queueOf(site.client.space).wake();
    expect(await queueOf(site.client.space).fetches()).toMatchObject({ running: 0, waiting: 0 });
  });

describe("an origin that leads to this deployment", () => {
  it.each(["/healthz", "/api/v1/other/remote?url=x"])(
    "is not followed to %s, although the space lists it",
    async (path) => {
      await site.client.call("PATCH", "/settings", { origins: [ORIGIN, THIS_DEPLOYMENT] });
      site.origin.on("/a.gif", () => Response.redirect(THIS_DEPLOYMENT + path));
      await site.ask("/a.gif", "w=64");
      await site.fetchesOver(1);
      expect(site.origin.requests.map(({ url }) => url)).toEqual([`${ORIGIN}/a.gif`]);
      await site.pass(2000);
      expect(await site.ask("/a.gif", "w=64")).toMatchObject({ state: "unavailable" });
      expect(await site.usage()).toMatchObject({ pictures: 0 });
    },
  );

  it("is 403 itself, by its own name and in every route that shows no picture", async () => {
    await site.client.call("PATCH", "/settings", { origins: [THIS_DEPLOYMENT] });
    for (const path of ["/healthz", "/api/v1/other/settings", "/cdn/b/x", "/"])
      expect(await site.ask(THIS_DEPLOYMENT + path, "w=64")).toMatchObject({ status: 403 });
    expect(site.origin.requests).toHaveLength(0);
  });
});

describe("an origin that lies about its file", () => {
  it.each([
    ["of a page", "text/html"],
    ["of a drawing", "image/svg+xml"],
    ["of 2000 characters", "x".repeat(2000)],
  ])("does not choose the type that is served: one %s", async (_, type) => {
    site.origin.file("/a.gif", gifOf(100), {
      "Content-Type": type,
      "Content-Disposition": 'attachment; filename="../../x.html"',
      "X-Content-Type-Options": "none",
    });
    const file = await request(await site.warm("/a.gif"));
    expect(file.headers.get("Content-Type")).toMatch(/^image\/(?:gif|jpeg|png|webp|avif)$/);
    expect(file.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(file.headers.get("Content-Disposition") ?? "inline").not.toContain("html");
    await file.body?.cancel();
  });

  it("has a length that is not its own: the bytes that came count", async () => {
    site.origin.file("/a.gif", gifOf(100), { "Content-Length": "1" });
    await site.warm("/a.gif");
    expect(await site.usage()).toMatchObject({ pictures: 1, bytes: 100 });
  });
});

/** Makes an answer that a test holds back. */
function held(answering: () => Response): {
  gate: { isBegun: boolean; isOpen: boolean };
  answer: () => Promise<Response>;
} {
  const gate = { isBegun: false, isOpen: false };
  const answer = async (): Promise<Response> => {
    gate.isBegun = true;
    while (!gate.isOpen) await scheduler.wait(5);
    return answering();
  };
  return { gate, answer };
}

describe("a removal while the file is compared with its origin", () => {
  it.each([
    ["that has another file now", () => new Response(gifOf(200, 9))],
    ["that has the same file still", () => new Response(null, { status: 304 })],
    ["that has none any more", () => new Response(null, { status: 404 })],
  ])("leaves nothing: %s", async (_, answering) => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    const { gate, answer } = held(answering);
    site.origin.on("/a.gif", answer);
    await site.pass(2 * 60 * 60_000);
    await site.ask("/a.gif", "w=64");
    await eventually(async () => {
      await site.pass(PLACEHOLDER.quietMs + 1);
      expect(gate.isBegun).toBe(true);
    });
    const path = `/remote?url=${encodeURIComponent(`${ORIGIN}/a.gif`)}`;
    expect(await site.client.call("DELETE", path)).toMatchObject({ status: 200 });
    gate.isOpen = true;
    await rest();
    expect(await site.usage()).toMatchObject({ pictures: 0, bytes: 0 });
    const rows = await bindings.DB.prepare("SELECT 1 FROM remotes UNION ALL SELECT 1 FROM variants").all();
    expect(rows.results).toHaveLength(0);
    for (let run = 1; run <= 3; run++) await runSweep(Date.now() + run * DAY_MS);
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
  });
});

describe("an origin that is removed from the setting during a fetch", () => {
  it("is served no more, whatever the fetch brought", async () => {
    const { gate, answer } = held(() => new Response(gifOf(100)));
    site.origin.on("/a.gif", answer);
    await site.ask("/a.gif", "w=64");
    await eventually(() => expect(gate.isBegun).toBe(true));
    await site.client.call("PATCH", "/settings", { origins: [] });
    gate.isOpen = true;
    await rest();
    await site.pass(60_000);
    expect(await site.ask("/a.gif", "w=64")).toMatchObject({ status: 403 });
    // It can no longer be asked for, so the sweep removes it in time.
    await runSweep(Date.now() + 31 * DAY_MS);
    for (let run = 32; run <= 34; run++) await runSweep(Date.now() + run * DAY_MS);
    expect(await site.usage()).toMatchObject({ pictures: 0 });
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    expect(builder.orders().length).toBeLessThanOrEqual(1);
  });
});
