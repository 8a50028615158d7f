/** Variants of an older encoder, and those in the last days of their life (RULES 9.7). */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { ENCODER_VERSION, variantFile, variantKey } from "../../../src/image/model/variant.ts";
import { CACHE, DAY_MS, PLACEHOLDER, VARIANT } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { builder, fails } from "../support/builder/fake-builder.ts";
import { picture, request } from "../support/http.ts";
import { objectOf, queueOf, queueSql } from "../support/queue.ts";
import { bindings, makeMedia, makeSpace, variantFiles, type Media, type Space } from "../support/rows.ts";

cleanBetweenTests();

const QUERY = "w=500&fm=webp";
const SPEC = { width: 500, format: "webp", quality: 80 } as const;
const NOW = variantFile(SPEC);
const OLDER = variantFile(SPEC, ENCODER_VERSION - 2);

/** Stores a variant as an earlier deployment left it. */
async function store(media: Media, file: string, expiresAt: number): Promise<void> {
  const at = { spaceId: media.spaceId, mediaId: media.id, version: media.version };
  await bindings.BUCKET.put(variantKey(at, file), "an older one");
  await bindings.DB.prepare(
    `INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
     VALUES (?, ?, ?, ?, 1, 12, ?, ?)`,
  )
    .bind(media.id, media.version, file, media.spaceId, expiresAt - VARIANT.lifetimeMs, expiresAt)
    .run();
}

async function start(file: string, leftMs: number) {
  const space = await makeSpace();
  const media = await makeMedia(space);
  await bindings.DB.prepare("UPDATE masters SET placeholder_tries = NULL").run();
  moveClock(0);
  await store(media, file, Date.now() + leftMs);
  const ask = () => picture(space.name, media.id, QUERY);
  return { space, media, ask };
}

const jobs = (space: Space): Promise<unknown[]> => queueSql(space, "SELECT lane FROM jobs");

/** Waits until the queue is told, beside the answer. */
const untilTold = (space: Space): Promise<void> =>
  eventually(async () => expect(await jobs(space)).toEqual([{ lane: "idle" }]));

async function untilQuiet(space: Space): Promise<void> {
  moveClock(PLACEHOLDER.quietMs);
  await runDurableObjectAlarm(objectOf(space));
  await eventually(async () => expect(await jobs(space)).toEqual([]));
}

describe("a variant of an older encoder", () => {
  test("is a hit until the present one is built, in idle time", async () => {
    const { space, media, ask } = await start(OLDER, 10 * DAY_MS);
    expect(await ask()).toMatchObject({ state: "hit", path: expect.stringContaining(OLDER) as string });
    expect(builder.widths()).toEqual([]);
    await untilTold(space);
    await untilQuiet(space);
    expect(builder.widths()).toEqual([500]);
    expect(await variantFiles(media)).toEqual([OLDER, NOW].toSorted());
    moveClock(CACHE.factsMs);
    expect(await ask()).toMatchObject({ state: "hit", path: expect.stringContaining(NOW) as string });
    expect((await queueOf(space).usage()).coldBudgetUsed).toBe(0);
  });

  test("is reported to the queue once, however many requests ask for it", async () => {
    const { space, ask } = await start(OLDER, 10 * DAY_MS);
    for (let n = 0; n < 5; n++) await ask();
    await untilTold(space);
  });

  test("is still answered when the present one cannot be built", async () => {
    const { space, ask } = await start(OLDER, 10 * DAY_MS);
    builder.always(fails("not a picture"));
    await ask();
    await untilTold(space);
    await untilQuiet(space);
    moveClock(CACHE.renewalMs);
    expect(await ask()).toMatchObject({ state: "hit", path: expect.stringContaining(OLDER) as string });
    await untilQuiet(space);
    expect(builder.widths()).toEqual([500]);
  });

  test("is not immutable although its address names the version", async () => {
    const { space, media } = await start(OLDER, 10 * DAY_MS);
    const direct = (): Promise<Response> =>
      request(`/api/v1/${space.name}/pictures/${media.id}/file?${QUERY}&v=1`);
    const before = await direct();
    expect(await before.text()).toBe("an older one");
    expect(before.headers.get("Cache-Control")).toBe(`public, max-age=${CACHE.redirectSeconds}`);
    await untilTold(space);
    await untilQuiet(space);
    moveClock(CACHE.factsMs);
    const after = await direct();
    expect(await after.text()).toBe("master at 500");
    expect(after.headers.get("Cache-Control")).toContain("immutable");
  });
});

describe("a variant that expires", () => {
  test("is rebuilt when it is requested in its last three days", async () => {
    const { space, media, ask } = await start(NOW, VARIANT.renewBeforeMs);
    expect(await ask()).toMatchObject({ state: "hit" });
    await untilTold(space);
    await untilQuiet(space);
    expect(builder.widths()).toEqual([500]);
    moveClock(VARIANT.renewBeforeMs);
    expect(await ask()).toMatchObject({ state: "hit" });
    expect(await variantFiles(media)).toEqual([NOW]);
  });

  test("is not rebuilt earlier", async () => {
    const { space, ask } = await start(NOW, VARIANT.renewBeforeMs + 60_000);
    expect(await ask()).toMatchObject({ state: "hit" });
    await queueOf(space).usage();
    expect(await jobs(space)).toEqual([]);
  });

  test("expires when nobody asks for it", async () => {
    const { ask } = await start(NOW, VARIANT.renewBeforeMs);
    moveClock(VARIANT.renewBeforeMs + 1000);
    expect(await ask()).not.toMatchObject({ state: "hit" });
  });
});
