/**
 * Suggested focal points: stored with the placeholder, renewed with the file, and followed by crops (RULES 4.8, 10.7).
 */
import { beforeEach, describe, expect, test } from "vitest";
import { ENCODER_VERSION } from "../../../../src/image/model/variant.ts";
import type { FocalPoint } from "../../../../src/image/geometry/focal-point.ts";
import { forgetPicture } from "../../../../src/edge/storage/pictures/pictures.ts";
import { Client } from "../../support/api.ts";
import { cleanBetweenTests, moveClock } from "../../support/clean.ts";
import { eventually } from "../../support/eventually.ts";
import {
  builder,
  CORRUPT,
  PLACEHOLDER,
  type PlaceholderBehaviour,
} from "../../support/builder/fake-builder.ts";
import { request, ROOT } from "../../support/http.ts";
import { later, MADE, NONE, rowOf, untilDone, untilRow } from "../../support/builder/placeholders.ts";
import { waitingTags } from "../../support/invalidation.ts";
import { queueOf, queueSql } from "../../support/queue.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, type Media } from "../../support/rows.ts";

cleanBetweenTests();

const FACTS = { ...JPEG_FACTS, width: 1200, height: 900, codedWidth: 1200, codedHeight: 900 };

let client: Client;
let media: Media;
beforeEach(async () => {
  client = await Client.make();
  media = await makeMedia(client.space, FACTS);
  moveClock(0);
});

const suggests =
  (focalPoint: FocalPoint): PlaceholderBehaviour =>
  ({ readMaster }) =>
    readMaster().then(() => ({ ok: true, placeholder: PLACEHOLDER, focalPoint, peakBytes: 1000 }));

const fails: PlaceholderBehaviour = () => ({
  ok: false,
  code: "failed",
  reason: "not a picture",
  failure: CORRUPT,
});

/** Lets the queue make every placeholder that is to be made. */
async function describeAll(): Promise<void> {
  await queueOf(client.space).makePlaceholders(client.space.id);
  await later(client.space);
  await untilDone(client.space);
}

const set = (settings: unknown) => client.call("PATCH", "/settings", settings);
const setFocalPoint = (focalPoint: unknown) => client.call("PATCH", `/media/${media.id}`, { focalPoint });
const shown = async () => {
  const { focalPoint, focalPointSuggested } = (await client.call("GET", `/media/${media.id}`)).data;
  return { focalPoint, focalPointSuggested };
};
const stored = ({ id }: Media, version = 1) =>
  bindings.DB.prepare(
    "SELECT suggested_focal_x AS x, suggested_focal_y AS y FROM masters WHERE media_id = ? AND version = ?",
  )
    .bind(id, version)
    .first();

/** Returns the place of a square crop on the axis that it does not fill, by the name of its file. */
async function cropped(): Promise<string | undefined> {
  forgetPicture(media.id);
  const path = `/api/v1/${client.space.name}/pictures/${media.id}?ar=1:1&w=64`;
  const response = await request(path, { redirect: "manual" });
  await response.body?.cancel();
  return response.headers.get("Location")?.split("/").at(-1);
}
const squareAt = (percent: number): string => `r1x1-f${percent}-w64-q80-e${ENCODER_VERSION}.jpg`;

/** Returns the tags that a change leaves in the outbox, without those of earlier ones. */
async function tagsOf(change: () => Promise<unknown>): Promise<string[]> {
  await bindings.DB.prepare("DELETE FROM purges").run();
  await change();
  return waitingTags();
}

describe("a suggested focal point", () => {
  test("comes with the placeholder, shows where the settings ask for it, and crops follow it", async () => {
    await set({ suggestFocalPoint: true });
    expect(await cropped()).toBe(squareAt(50));
    builder.nextPlaceholders(suggests({ x: 40, y: 7 }));
    await describeAll();
    expect(await rowOf(media)).toEqual(MADE);
    expect(await shown()).toEqual({ focalPoint: null, focalPointSuggested: { x: 0.4, y: 0.07 } });
    expect(await cropped()).toBe(squareAt(40));
    await set({ suggestFocalPoint: false });
    expect(await shown()).toEqual({ focalPoint: null, focalPointSuggested: null });
    expect(await cropped()).toBe(squareAt(50));
  });

  test("gives way to one that was set, and comes back when that is cleared", async () => {
    await set({ suggestFocalPoint: true });
    await setFocalPoint({ x: 0.6, y: 0.5 });
    builder.nextPlaceholders(suggests({ x: 40, y: 7 }));
    await describeAll();
    expect(await shown()).toEqual({
      focalPoint: { x: 0.6, y: 0.5 },
      focalPointSuggested: { x: 0.4, y: 0.07 },
    });
    expect(await cropped()).toBe(squareAt(60));
    await setFocalPoint(null);
    expect(await cropped()).toBe(squareAt(40));
  });

  test("goes with its file, and the new file gets its own", async () => {
    await set({ suggestFocalPoint: true });
    builder.nextPlaceholders(suggests({ x: 40, y: 7 }), suggests({ x: 60, y: 80 }));
    await describeAll();
    const replaced = await request(`/api/v1/${client.space.name}/media/${media.id}/file`, {
      method: "PUT",
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>',
      headers: { ...ROOT, "Content-Type": "image/svg+xml" },
    });
    expect(replaced.status).toBe(200);
    await replaced.body?.cancel();
    expect(await shown()).toEqual({ focalPoint: null, focalPointSuggested: null });
    await describeAll();
    expect(await shown()).toEqual({ focalPoint: null, focalPointSuggested: { x: 0.6, y: 0.8 } });
    expect(await stored(media, 1)).toEqual({ x: 40, y: 7 });
  });

  test.each([
    { x: 101, y: 0 },
    { x: 0, y: -1 },
    { x: 0.5, y: 0.5 },
    { x: NaN, y: 0 },
  ])("is not %j: nothing of such an answer is stored", async (focalPoint) => {
    builder.nextPlaceholders(suggests(focalPoint));
    await describeAll();
    expect(await rowOf(media)).toEqual(NONE);
    expect(await stored(media)).toEqual({ x: null, y: null });
  });
});

describe("copies at the edge are invalidated", () => {
  const described = (x: number, y: number) => async () => {
    builder.nextPlaceholders(suggests({ x, y }));
    await describeAll();
  };
  const tag = (): string => `media:${media.id}`;

  test("when crops move to a suggested focal point", async () => {
    await set({ suggestFocalPoint: true });
    expect(await tagsOf(described(40, 50))).toEqual([tag()]);
  });

  test("not where crops do not follow it", async () => {
    expect(await tagsOf(described(40, 50))).toEqual([]);
  });

  test("not where one was set", async () => {
    await set({ suggestFocalPoint: true });
    await setFocalPoint({ x: 0.2, y: 0.2 });
    expect(await tagsOf(described(40, 50))).toEqual([]);
  });

  test("not where the centre is suggested", async () => {
    await set({ suggestFocalPoint: true });
    expect(await tagsOf(described(50, 50))).toEqual([]);
  });
});

describe("a space that begins to suggest focal points", () => {
  /** Makes masters as they are that got their placeholder before there were suggestions. */
  async function describedBefore(): Promise<void> {
    await describeAll();
    const forget = "UPDATE masters SET suggested_focal_x = NULL, suggested_focal_y = NULL WHERE media_id = ?";
    await bindings.DB.prepare(forget).bind(media.id).run();
    expect(await stored(media)).toEqual({ x: null, y: null });
  }

  test("has pictures looked at again that have none, which keep their placeholders meanwhile", async () => {
    await describedBefore();
    const stranger = await makeMedia(await makeSpace(), FACTS);
    await bindings.DB.prepare(
      "UPDATE masters SET thumb_hash = 'x', placeholder_tries = NULL WHERE media_id = ?",
    )
      .bind(stranger.id)
      .run();
    builder.nextPlaceholders(suggests({ x: 40, y: 7 }));
    await set({ suggestFocalPoint: true });
    expect(await rowOf(media)).toEqual({ ...MADE, tries: 0 });
    expect(await rowOf(stranger)).toMatchObject({ tries: null });
    await eventually(async () =>
      expect(await queueSql(client.space, "SELECT space_id AS id FROM idle_work")).toHaveLength(1),
    );
    await later(client.space);
    await untilRow(media, MADE);
    expect(await shown()).toMatchObject({ focalPointSuggested: { x: 0.4, y: 0.07 } });
  });

  test("looks at each picture once, however often the setting changes", async () => {
    builder.nextPlaceholders(suggests({ x: 40, y: 7 }));
    await describeAll();
    await set({ suggestFocalPoint: true });
    await set({ suggestFocalPoint: false });
    await set({ suggestFocalPoint: true });
    expect(await rowOf(media)).toEqual(MADE);
  });

  test("takes nothing away from a picture that cannot be looked at again", async () => {
    await describedBefore();
    builder.nextPlaceholders(fails);
    await set({ suggestFocalPoint: true });
    await describeAll();
    expect(await rowOf(media)).toEqual(MADE);
    expect(await shown()).toEqual({ focalPoint: null, focalPointSuggested: null });
  });

  test("leaves alone what has no placeholder and never will", async () => {
    builder.nextPlaceholders(fails);
    await describeAll();
    await set({ suggestFocalPoint: true });
    expect(await rowOf(media)).toEqual(NONE);
  });
});
