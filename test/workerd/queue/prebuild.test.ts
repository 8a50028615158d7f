/** The presets of an upload, built ahead (RULES 9.7). */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { announceBareMasters } from "../../../src/edge/sweep/placeholders.ts";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import { PLACEHOLDER } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { builder, fails, hangs } from "../support/builder/fake-builder.ts";
import { picture } from "../support/http.ts";
import { breakBinding, crash, objectOf, queueOf, queueSql, requestFor } from "../support/queue.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, variantFiles, type Space } from "../support/rows.ts";

cleanBetweenTests();

async function start(facts: MasterFacts = JPEG_FACTS) {
  const space = await makeSpace();
  const media = await makeMedia(space, facts);
  await mark();
  moveClock(0);
  return { space, media, queue: queueOf(space) };
}

const run = (query: string, ...values: unknown[]): Promise<unknown> =>
  bindings.DB.prepare(query)
    .bind(...values)
    .run();

/** Marks masters as an upload does. */
const mark = (): Promise<unknown> => run("UPDATE masters SET placeholder_tries = NULL, is_to_prebuild = 1");

async function later(space: Space, byMs: number = PLACEHOLDER.quietMs): Promise<void> {
  moveClock(byMs);
  await runDurableObjectAlarm(objectOf(space));
}

const untilDone = (space: Space): Promise<void> =>
  eventually(async () => expect(await queueSql(space, "SELECT * FROM idle_work")).toEqual([]));

const ordered = (): string[] =>
  builder.orders().map(({ spec: { width, format, quality } }) => `${width} ${format} ${quality}`);
const ofWidths = (widths: number[], quality = 80): string[] =>
  widths.flatMap((width) => [`${width} avif ${quality}`, `${width} webp ${quality}`]);
const PRESETS = ofWidths([236, 500, 750, 1000]);

const marked = async (): Promise<unknown> =>
  (await bindings.DB.prepare("SELECT sum(is_to_prebuild) AS n FROM masters").first<{ n: number }>())?.n;

describe("the presets of an upload", () => {
  test("are built in order of width, in AVIF and WebP, charged to nobody, and hit from then on", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    expect(ordered()).toEqual([]);
    await later(space);
    await untilDone(space);
    expect(ordered()).toEqual(PRESETS);
    expect(await marked()).toBe(0);
    expect((await queue.usage()).coldBudgetUsed).toBe(0);
    for (const format of ["avif", "webp"])
      expect(await picture(space.name, media.id, `w=500&fm=${format}`)).toMatchObject({ state: "hit" });
    expect(builder.widths()).toHaveLength(PRESETS.length);
  });

  test("of several are built one master after the other", async () => {
    const { space, queue } = await start();
    await makeMedia(space, { ...JPEG_FACTS, width: 236, height: 177 });
    await mark();
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(ordered()).toEqual([...PRESETS, ...ofWidths([236])]);
  });

  test("are not wider than the master", async () => {
    const { space, queue } = await start({ ...JPEG_FACTS, width: 600, height: 450 });
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(ordered()).toEqual(ofWidths([236, 500, 600]));
  });

  test("of an animation are built in WebP", async () => {
    const size = { width: 236, height: 177, codedWidth: 236, codedHeight: 177 };
    const { space, queue } = await start({
      ...{ format: "gif", ...size, orientation: 1, frames: 2, animated: true, hasAlpha: false },
      ...{ bitDepth: 8, colour: "palette", profile: "none" },
    });
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(ordered()).toEqual(["236 webp 80"]);
  });

  test.each([
    ["quality = 90", 90],
    ["quality = 90, compression = 0", 100],
  ])("have the quality of preset links: %s", async (settings, quality) => {
    const { space, queue } = await start({ ...JPEG_FACTS, width: 236, height: 177 });
    await run(`UPDATE spaces SET ${settings} WHERE id = ?`, space.id);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(ordered()).toEqual(ofWidths([236], quality));
  });

  test.each([
    ["a space that wants none", "UPDATE spaces SET prebuild = 'none'"],
    ["what is in the trash", "UPDATE media SET deleted_at = 1"],
    ["an earlier version", "UPDATE media SET master_version = 2"],
  ])("are not built for %s", async (_, change) => {
    const { space, queue } = await start();
    await run(change);
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(ordered()).toEqual([]);
    expect(await marked()).toBe(0);
  });

  test("that cannot be built do not prevent others", async () => {
    const { space, media, queue } = await start();
    builder.next(fails("not this one"));
    await queue.makePlaceholders(space.id);
    await later(space);
    await untilDone(space);
    expect(await variantFiles(media)).toHaveLength(PRESETS.length - 1);
  });

  test("wait for visitors, and go on after them", async () => {
    const { space, media, queue } = await start();
    builder.next(hangs);
    await queue.makePlaceholders(space.id);
    await later(space);
    await builder.called(1);
    const visitors = requestFor(media, { width: 64 });
    await queue.admit(visitors);
    expect(await queue.settled(visitors.key)).toEqual({ state: "built" });
    expect(builder.widths()).toEqual([236, 64]);
    await later(space);
    await untilDone(space);
    expect(await variantFiles(media)).toHaveLength(PRESETS.length + 1);
  });
});

describe("presets are built once, and none is lost", () => {
  test("when the queue crashes while one is built", async () => {
    const { space, media, queue } = await start();
    builder.next(hangs);
    await queue.makePlaceholders(space.id);
    await later(space);
    await builder.called(1);
    await crash(space);
    await later(space);
    await untilDone(space);
    expect(await variantFiles(media)).toHaveLength(PRESETS.length);
    expect(ordered()).toEqual([PRESETS[0], ...PRESETS]);
  });

  test("when the mark outlives the jobs, as after a crash between the two", async () => {
    const { space, media, queue } = await start();
    for (let times = 0; times < 2; times++) {
      await mark();
      await queue.makePlaceholders(space.id);
      await later(space);
      await untilDone(space);
      moveClock(120_000);
    }
    expect(ordered()).toEqual(PRESETS);
    expect(await variantFiles(media)).toHaveLength(PRESETS.length);
  });

  test("when D1 is away for a moment", async () => {
    const { space, media, queue } = await start();
    await queue.makePlaceholders(space.id);
    await breakBinding(space, "DB", "prepare", 1);
    await later(space);
    await later(space, PLACEHOLDER.pauseMs);
    await untilDone(space);
    expect(ordered()).toEqual(PRESETS);
    expect(await variantFiles(media)).toHaveLength(PRESETS.length);
  });

  test("when the upload could not tell the queue: the sweep does", async () => {
    const { space } = await start();
    const announce = (id: string): Promise<void> => queueOf({ id, name: "" }).makePlaceholders(id);
    expect(await announceBareMasters(database(bindings.DB), announce)).toBe(1);
    await later(space);
    await untilDone(space);
    expect(ordered()).toEqual(PRESETS);
    expect(await announceBareMasters(database(bindings.DB), announce)).toBe(0);
  });
});
