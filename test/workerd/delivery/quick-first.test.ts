/** Quick effort while a visitor waits, thorough effort when none does (RULES 9.7). */
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { effortOf } from "../../../src/image/plan/build-plan.ts";
import {
  ENCODER_VERSION,
  QUICK_ENCODER_VERSION,
  variantFile,
  variantKey,
} from "../../../src/image/model/variant.ts";
import { CACHE, PLACEHOLDER } from "../../../src/limits.ts";
import { jpegFacts } from "../../../scripts/samples/facts.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { builder, fails } from "../support/builder/fake-builder.ts";
import { picture, request } from "../support/http.ts";
import { objectOf, queueOf, queueSql } from "../support/queue.ts";
import { bindings, makeMedia, makeSpace, variantFiles, type Space } from "../support/rows.ts";

cleanBetweenTests();

const SPEC = { width: 1000, format: "avif", quality: 80 } as const;
const QUERY = "w=1000&fm=avif&q=80";
const QUICK = variantFile(SPEC, QUICK_ENCODER_VERSION);
const THOROUGH = variantFile(SPEC, ENCODER_VERSION);

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space, jpegFacts(4000, 3000));
  await bindings.DB.prepare("UPDATE masters SET placeholder_tries = NULL").run();
  moveClock(0);
  return { space, media, ask: () => picture(space.name, media.id, QUERY) };
}

const jobs = (space: Space): Promise<unknown[]> => queueSql(space, "SELECT lane FROM jobs");

const untilTold = (space: Space): Promise<void> =>
  eventually(async () => expect(await jobs(space)).toEqual([{ lane: "idle" }]));

async function untilQuiet(space: Space): Promise<void> {
  moveClock(PLACEHOLDER.quietMs);
  await runDurableObjectAlarm(objectOf(space));
  await eventually(async () => expect(await jobs(space)).toEqual([]));
}

const efforts = (): string[] => builder.orders().map(({ plan }) => effortOf(plan));

describe("a photograph of 12 megapixels, 1000 pixels wide in AVIF", () => {
  test("may be kept by the first visitor who names the master's version", async () => {
    const { space, media } = await start();
    const address = `/api/v1/${space.name}/pictures/${media.id}/file?${QUERY}&v=1`;
    const response = await request(address);
    await response.body?.cancel();
    expect(efforts()).toEqual(["quick"]);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    await untilTold(space);
    await untilQuiet(space);
  });

  test("is built quickly within the wait, and then thoroughly by itself", async () => {
    const { space, media, ask } = await start();
    expect(await ask()).toMatchObject({ state: "built", path: expect.stringContaining(QUICK) as string });
    await untilTold(space);
    await untilQuiet(space);
    expect(efforts()).toEqual(["quick", "thorough"]);
    expect(await variantFiles(media)).toEqual([QUICK, THOROUGH].toSorted());
    moveClock(CACHE.factsMs);
    expect(await ask()).toMatchObject({ state: "hit", path: expect.stringContaining(THOROUGH) as string });
    // The one that the visitor waited for is charged, the other is not.
    expect((await queueOf(space).usage()).coldBudgetUsed).toBe(1);
  });

  test("keeps the bytes of the quick file under its address", async () => {
    const { space, media, ask } = await start();
    await ask();
    const key = variantKey({ spaceId: space.id, mediaId: media.id, version: media.version }, QUICK);
    const before = await (await bindings.BUCKET.get(key))?.text();
    expect(before).toBeDefined();
    await untilTold(space);
    await untilQuiet(space);
    expect(await (await bindings.BUCKET.get(key))?.text()).toBe(before);
  });

  test("is answered quickly encoded for as long as it cannot be encoded thoroughly", async () => {
    const { space, ask } = await start();
    await ask();
    await untilTold(space);
    builder.always(fails("out of memory"));
    await untilQuiet(space);
    moveClock(CACHE.renewalMs);
    expect(await ask()).toMatchObject({ state: "hit", path: expect.stringContaining(QUICK) as string });
  });

  test("is built thoroughly although the queue is cut off in between", async () => {
    const { space, media, ask } = await start();
    await ask();
    await untilTold(space);
    await abortAllDurableObjects();
    await untilQuiet(space);
    expect(await variantFiles(media)).toEqual([QUICK, THOROUGH].toSorted());
  });

  test("is built thoroughly once, however many ask for it", async () => {
    const { space, ask } = await start();
    for (let n = 0; n < 5; n++) await ask();
    await untilTold(space);
    await untilQuiet(space);
    expect(efforts()).toEqual(["quick", "thorough"]);
  });
});
