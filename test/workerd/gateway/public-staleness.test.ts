/** Public content at the edge after a change (RULES 3.17, 10.7): how long anybody sees what was before. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { updateSettings } from "../../../src/edge/storage/spaces/spaces.ts";
import { CACHE, INVALIDATION } from "../../../src/limits.ts";
import { purges } from "../../../schema/tables.ts";
import type { Client } from "../support/api.ts";
import { cleanBetweenTests, patientDrains, REQUEST_DRAIN_MS } from "../support/clean.ts";
import { Edge, type Seen } from "../support/edge.ts";
import { eventually } from "../support/eventually.ts";
import { makePublicSpace, type PublicSpace } from "../support/content/public-space.ts";
import { bindings } from "../support/rows.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const SETTINGS = {
  adaptiveLoading: true,
  compression: true,
  quality: 95,
  suggestFocalPoint: false,
  prebuild: "presets" as const,
  origins: null,
  metadata: "copyright" as const,
  gamut: "srgb" as const,
  aspectRatios: null,
  backgrounds: null,
};
/** The content's tag is the triggers' doing. */
const TOLD = { by: { origin: OF_SYSTEM, now: Date.now() }, changed: ["quality"] };
const NO_EFFECTS = { invalidatedAt: null, looksAgain: false };
const ROOT = { Authorization: `Bearer ${bindings.ROOT_TOKEN}` };

let client: Client;
let author: string;
let post: string;
let media: string;
let path: PublicSpace["path"];
beforeEach(async () => {
  ({ client, author, post, media, path } = await makePublicSpace());
});

/**
 * From a change to the last answer that does not know of it, while invalidations go through: the repeat of the
 * invalidation.
 */
const BOUND_SECONDS = INVALIDATION.repeatMs / 1000 + 1;

describe("after a change", () => {
  let edge: Edge;
  const passing = (ms: number): Promise<void> => {
    edge.pass(ms);
    return Promise.resolve();
  };
  const lists = (): string[] => [
    path("posts"),
    path(`posts/${post}`),
    path("posts?populate=author,cover"),
    path("posts?filter[author.name][eq]=Ada&count=true"),
  ];

  async function warmed(): Promise<void> {
    edge = new Edge(2);
    await edge.watch(lists(), 1);
    const known = await edge.watch(lists(), 1);
    expect(known.map(({ cache }) => cache)).toEqual(known.map(() => "HIT"));
  }

  /** Measures how long copies that were there before are seen, in seconds. */
  async function lastReplay(change: () => Promise<unknown>, seconds: number): Promise<number> {
    await change();
    const changedAt = edge.seconds;
    const seen: Seen[] = [];
    const wait = async (ms: number): Promise<void> => {
      const until = edge.seconds + ms / 1000;
      while (edge.seconds < until) seen.push(...(await edge.watch(lists(), 1)));
    };
    await edge.drain(REQUEST_DRAIN_MS, wait);
    await wait((changedAt + seconds - edge.seconds) * 1000);
    const firstRun = new Map<string, number>();
    for (const [index, one] of seen.entries()) {
      const key = `${one.region} ${index % lists().length}`;
      if (one.cache !== "HIT" && !firstRun.has(key)) firstRun.set(key, one.at - changedAt);
    }
    expect(firstRun.size).toBe(lists().length * 2);
    return Math.max(...firstRun.values());
  }

  it.each<[string, () => Promise<unknown>]>([
    ["a record", () => client.call("PUT", `/data/collections/posts/${post}`, { title: "Two" })],
    ["an expanded record", () => client.call("PUT", `/data/collections/authors/${author}`, { name: "Eva" })],
    ["an expanded picture", () => client.call("PATCH", `/media/${media}`, { alt: "new" })],
    ["the quality of the space", () => updateSettings(db, client.space, SETTINGS, NO_EFFECTS, TOLD)],
  ])("of %s, all copies are asked for anew within the bound, in every region", async (_, change) => {
    await warmed();
    expect(await lastReplay(change, 15)).toBeLessThan(BOUND_SECONDS);
  });

  it("that closes the model, nobody reads it any more", async () => {
    await warmed();
    const { data } = await client.call<{ fields: object[] }>("GET", "/models/collections/posts");
    const off = { fields: data.fields, public: false };
    await client.call("PUT", "/models/collections/posts", off);
    await edge.drain(REQUEST_DRAIN_MS, passing);
    edge.pass(1000);
    const seen = await edge.watch(lists(), 1);
    expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 401));
  });

  it("of a draft, nothing is asked anew; its publishing is seen", async () => {
    edge = new Edge(1);
    const invalidated = async (): Promise<void> => {
      await edge.drain(REQUEST_DRAIN_MS, passing);
      // Until the repeat has come through everywhere.
      edge.pass(1000);
    };
    const id = await client.create("drafted", { title: "first" });
    await client.call("POST", `/data/collections/drafted/${id}/publish`);
    await invalidated();
    const read = async () => {
      const answer = await edge.ask(path(`drafted/${id}`));
      const { data } = await answer.json<{ data: { title: string } }>();
      return [data.title, answer.headers.get("Cf-Cache-Status")];
    };
    expect([await read(), await read()]).toEqual([
      ["first", "MISS"],
      ["first", "HIT"],
    ]);
    await client.call("PUT", `/data/collections/drafted/${id}`, { title: "second" });
    expect(await edge.drain(0, () => Promise.resolve())).toMatchObject({ calls: 0 });
    expect(await read()).toEqual(["first", "HIT"]);
    await client.call("POST", `/data/collections/drafted/${id}/publish`);
    await invalidated();
    expect(await read()).toEqual(["second", "MISS"]);
  });

  it("whose invalidation is refused, a copy lives for its minute, and then once more while it is asked for", async () => {
    await warmed();
    while (edge.cache.purge(["something else"]));
    await client.call("PUT", `/data/collections/posts/${post}`, { title: "Two" });
    const title = async () => {
      const { data } = await (await edge.ask(path(`posts/${post}`))).json<{ data: { title: string } }>();
      return data.title;
    };
    edge.pass((CACHE.publicSeconds - 5) * 1000);
    expect(await title()).toBe("One");
    edge.pass(6000);
    expect([await title(), await title()]).toEqual(["One", "Two"]);
    edge.pass((CACHE.publicSeconds + CACHE.publicStaleSeconds + 1) * 1000);
    expect((await edge.visit(path(`posts/${post}`), {}, 1)).cache).not.toBe("UPDATING");
  });

  it("made through the Worker is invalidated beside its answer", async () => {
    await warmed();
    vi.useRealTimers();
    patientDrains();
    const invalidated: string[][] = [];
    vi.spyOn(edge.cache, "purge").mockImplementation((tags) => invalidated.push(tags) > 0);
    const body = JSON.stringify({ title: "Two" });
    const headers = { ...ROOT, "Content-Type": "application/json" };
    const answer = await edge.begin(path(`posts/${post}`), { method: "PUT", headers, body });
    expect(answer.status).toBe(200);
    await eventually(() => expect(invalidated.flat()).toContain(`content:${client.space.id}`));
    await edge.settled();
    expect((await db.select().from(purges)).length).toBe(0);
  });
});
