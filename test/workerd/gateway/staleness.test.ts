import { beforeEach, describe, expect, it } from "vitest";
import { changeMedia, restoreMedia, trashMedia } from "../../../src/edge/storage/media/media.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { replaceFile } from "../../../src/edge/media/upload.ts";
import { readSpace, updateSettings } from "../../../src/edge/storage/spaces/spaces.ts";
import { CACHE, INVALIDATION } from "../../../src/limits.ts";
import { cleanBetweenTests, REQUEST_DRAIN_MS } from "../support/clean.ts";
import { Edge, type Seen } from "../support/edge.ts";
import { laggingReplica } from "../support/bindings/lagging-replica.ts";
import { Client } from "../support/api.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, type Media, type Space } from "../support/rows.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";

cleanBetweenTests();

/**
 * From a change to the last answer that does not know of it: what RULES 4.4 promises, and the invalidation's own way.
 */
const BOUND_SECONDS = 10;

let space: Space;
let media: Media;
let edge: Edge;
beforeEach(async () => {
  space = await makeSpace();
  media = await makeMedia(space, { ...JPEG_FACTS, width: 1200, height: 900 });
  edge = new Edge(2);
});

const db = database(bindings.DB);
const path = (query = "", file = ""): string =>
  `/api/v1/${space.name}/pictures/${media.id}${file}${query && `?${query}`}`;
const pictures = (): string[] => [path(), path("w=64"), path("w=64&auto=format"), path("v=1", "/file")];

/** Makes pictures, their files, and the file that the redirect leads to, known to every region's cache. */
async function warmed(): Promise<string[]> {
  const file = (await edge.visit(path("w=64"))).leadsTo ?? "";
  const paths = [...pictures(), file, `/cdn/${media.masterKey}`];
  // Once more when the isolate has forgotten: only then is an answer the primary's, and kept.
  for (let n = 0; n < 2; n++) {
    for (let region = 0; region < edge.regions; region++) {
      for (const address of paths) await edge.visit(address, {}, region);
      edge.pass(CACHE.edgeAskMs);
    }
  }
  const known = await edge.watch(paths, 1);
  expect(known.map(({ cache }) => cache)).toEqual(known.map(() => "HIT"));
  return paths;
}

/**
 * Makes a change as another isolate does, which this one hears nothing of, invalidates as its request does, and watches
 * from all regions for as long as `seconds`.
 */
async function watchChange(paths: string[], change: () => Promise<unknown>, seconds = 15): Promise<Seen[]> {
  await change();
  const changedAt = edge.seconds;
  const seen: Seen[] = [];
  const wait = async (ms: number): Promise<void> => {
    const until = edge.seconds + ms / 1000;
    while (edge.seconds < until) seen.push(...(await edge.watch(paths, 1)));
  };
  await edge.drain(REQUEST_DRAIN_MS, wait);
  await wait((changedAt + seconds - edge.seconds) * 1000);
  return seen.map((one) => ({ ...one, at: one.at - changedAt }));
}

const lastOf = (seen: Seen[], isStale: (one: Seen) => boolean): number =>
  Math.max(0, ...seen.filter(isStale).map(({ at }) => at));

const trash = (): Promise<boolean> =>
  trashMedia(db, space.id, media.id, {
    deletedAt: Date.now(),
    purgeAt: Date.now() + 86_400_000,
    origin: OF_SYSTEM,
  });

describe("after a change that another isolate made", () => {
  it("a trashed picture is 404 within ten seconds in every region, and stays so", async () => {
    const paths = await warmed();
    // Known to the isolate too, and none of the addresses that are watched.
    await edge.visit(path("w=64&fm=jpeg"));
    const seen = await watchChange(paths, trash);
    const last = lastOf(seen, ({ status }) => status !== 404);
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(BOUND_SECONDS);
    // The edge itself is rid of it at once; later answers come from the isolate's memory of five seconds.
    expect(lastOf(seen, ({ status, cache }) => status !== 404 && cache === "HIT")).toBeLessThan(1);
    expect(last).toBeLessThanOrEqual(CACHE.factsMs / 1000);
  });

  it("a restored picture is there within ten seconds in every region", async () => {
    const paths = await warmed();
    await watchChange(paths, trash);
    const trashed = await edge.watch(paths, 1);
    expect(trashed.map(({ status, cache }) => [status, cache])).toEqual(trashed.map(() => [404, "HIT"]));
    const seen = await watchChange(paths, () =>
      restoreMedia(db, space.id, media.id, { origin: OF_SYSTEM, now: Date.now() }),
    );
    expect(lastOf(seen, ({ status }) => status === 404)).toBeLessThan(BOUND_SECONDS);
    expect(seen.at(-1)?.status).not.toBe(404);
  });

  it("a replaced picture leads to its new version within ten seconds", async () => {
    const paths = (await warmed()).filter((address) => address.startsWith("/api/"));
    const drawing = new TextEncoder().encode(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    );
    const upload = {
      filename: null,
      body: (async function* () {
        yield await Promise.resolve(drawing);
      })(),
    };
    const own = await readSpace(db, space.name);
    if (!own) throw new Error("the space is not there");
    const tools = { db, bucket: bindings.BUCKET, now: Date.now, origin: OF_SYSTEM };
    const seen = await watchChange(paths, () => replaceFile(own, media.id, upload, tools));
    const isOld = ({ leadsTo }: Seen): boolean => leadsTo?.includes(`/${media.id}/1/`) ?? false;
    expect(lastOf(seen, isOld)).toBeLessThan(BOUND_SECONDS);
    expect(seen.at(-1)?.leadsTo).toContain(`/${media.id}/2/`);
  });

  it.each([
    [
      "a moved focal point",
      () => {
        const by = { origin: OF_SYSTEM, now: Date.now() };
        return changeMedia(db, space.id, media.id, { focalPoint: { x: 25, y: 75 } }, by);
      },
    ],
    [
      "other aspect ratios",
      () => {
        const settings = {
          adaptiveLoading: true,
          compression: true,
          quality: 80,
          backgrounds: null,
          suggestFocalPoint: false,
          prebuild: "presets" as const,
          origins: null,
          metadata: "copyright" as const,
          gamut: "srgb" as const,
        };
        return updateSettings(
          db,
          space,
          { ...settings, aspectRatios: '["1:1"]' },
          { invalidatedAt: Date.now(), looksAgain: false },
          { by: { origin: OF_SYSTEM, now: Date.now() }, changed: ["aspectRatios"] },
        );
      },
    ],
  ])("%s has every kept answer asked for anew, and kept again", async (_, change) => {
    const paths = await warmed();
    const seen = await watchChange(paths, change, 25);
    for (const address of paths) {
      const own = seen.filter((_one, n) => paths[n % paths.length] === address);
      expect(own.filter(({ cache }) => cache !== "HIT").length, address).toBeGreaterThanOrEqual(2);
      expect(own.at(-1)?.cache).toBe("HIT");
    }
  });

  it("a renamed space answers under both names, without an invalidation", async () => {
    const paths = await warmed();
    const client = new Client(space);
    await client.call("PATCH", "", { name: "renamed" });
    const seen = await edge.watch(paths, 5);
    expect(seen.every(({ cache }) => cache === "HIT")).toBe(true);
    const renamed = path("w=64").replace(space.name, "renamed");
    expect(await edge.visit(renamed)).toMatchObject({ status: 302, state: "hit" });
    expect(edge.cache.purges).toEqual([]);
  });
});

describe("when invalidations are refused", () => {
  it("a trashed picture is 404 after one has succeeded: no invalidation is lost", async () => {
    const paths = await warmed();
    while (edge.cache.purge(["something else"]));
    const seen = await watchChange(paths, trash, 25);
    const accepted = edge.cache.purges.filter(
      (call) => call.accepted && call.tags.includes(`media:${media.id}`),
    );
    expect(accepted.length).toBeGreaterThan(0);
    const last = lastOf(seen, ({ status }) => status !== 404);
    expect(last).toBeGreaterThan(BOUND_SECONDS);
    expect(last).toBeLessThan((INVALIDATION.refusedMs * 2) / 1000);
  });
});

describe("a replica that is behind", () => {
  it("answers, but only answers from the primary are stored", async () => {
    const replica = laggingReplica();
    edge.env = { DB: replica.db };
    const file = (await edge.visit(path("w=64"))).leadsTo ?? "";
    const paths = [...pictures(), file];
    await edge.watch(paths, 15);
    const known = await edge.watch(paths, 1);
    expect(known.map(({ cache }) => cache)).toEqual(known.map(() => "HIT"));
    replica.freeze();
    const seen = await watchChange(paths, trash, 25);
    const stale = seen.filter(({ status }) => status !== 404);
    expect(lastOf(stale, ({ cache }) => cache === "HIT")).toBeLessThan(1);
    // The replica itself does not know as long as it is behind. The 404 of the primary, asked beside it, is kept.
    expect(lastOf(stale, () => true)).toBeGreaterThan(1);
    expect(seen.at(-1)).toMatchObject({ status: 404, cache: "HIT" });
    replica.thaw();
    edge.pass(CACHE.factsMs);
    expect((await edge.watch(paths, 1)).map(({ status }) => status)).toEqual(
      Array(paths.length * 2).fill(404),
    );
  });
});

describe("an answer that was being made during the invalidation", () => {
  it("is stored after it, and removed by the repeat", async () => {
    const paths = [path("w=64")];
    await edge.visit(path("w=64"));
    edge.pass(CACHE.factsMs);
    await trash();
    const changedAt = edge.seconds;
    // A slow isolate of the other region read the row before the change, and its answer is stored after the
    // invalidation.
    let slow: Seen | null = null;
    const seen: Seen[] = [];
    const wait = async (ms: number): Promise<void> => {
      if (!slow) {
        edge.pass(1000);
        await bindings.DB.prepare("UPDATE media SET deleted_at = NULL WHERE id = ?").bind(media.id).run();
        slow = await edge.visit(path("w=64"), {}, 1);
        await bindings.DB.prepare("UPDATE media SET deleted_at = 1 WHERE id = ?").bind(media.id).run();
        edge.pass(ms - 2000);
      } else edge.pass(ms - 1000);
      seen.push(...(await edge.watch(paths, 1)));
    };
    await edge.drain(REQUEST_DRAIN_MS, wait);
    expect(slow).toMatchObject({ status: 302, cache: "MISS" });
    seen.push(...(await edge.watch(paths, 10)));
    const stale = seen.filter(({ status }) => status !== 404).map(({ at }) => at - changedAt);
    expect(Math.max(0, ...stale)).toBeLessThanOrEqual(INVALIDATION.repeatMs / 1000);
    expect(seen.at(-1)?.status).toBe(404);
  });
});
