/** `GET /media/{id}/variants`: the stored, waiting and failed variants of a picture. */
import { describe, expect, test } from "vitest";
import { ENCODER_VERSION, variantFile, variantKey } from "../../../src/image/model/variant.ts";
import type { AdmitRequest } from "../../../src/edge/messages.ts";
import { QUEUE, VARIANT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { builder, fails, Gate } from "../support/builder/fake-builder.ts";
import { queueOf, requestFor } from "../support/queue.ts";
import { bindings, makeMedia, type Media } from "../support/rows.ts";

cleanBetweenTests();

interface Variant {
  file: string;
  createdAt: string;
}

interface Missing {
  queued: { file: string; state: string }[];
  failed: { file: string; reason: string; retryAt: string }[];
}

async function start() {
  const client = await Client.make();
  const media = await makeMedia(client.space);
  const queue = queueOf(client.space);
  const read = async () => {
    const { data, meta } = await client.call<Variant[]>("GET", `/media/${media.id}/variants`);
    return { data, meta: meta as unknown as Missing };
  };
  const make = async (request: AdmitRequest): Promise<void> => {
    await queue.admit(request);
    await queue.settled(request.key);
  };
  return { client, media, queue, read, make };
}

/** Returns the request of `requestFor`, for a square crop. */
function cropOf(media: Media): AdmitRequest {
  const request = requestFor(media, { width: 500 });
  const crop = { ratio: { width: 1, height: 1 }, focus: 50 };
  const file = variantFile({ width: 500, format: "png", quality: null, crop });
  const at = { spaceId: media.spaceId, mediaId: media.id, version: media.version };
  return { ...request, file, key: variantKey(at, file) };
}

describe("the variants of a media item", () => {
  test("are an empty list before the first request", async () => {
    const { read } = await start();
    const limit = VARIANT.perMasterVersionMax;
    expect(await read()).toEqual({ data: [], meta: { nextCursor: null, limit, queued: [], failed: [] } });
  });

  test("are listed with their sizes and times, newest first", async () => {
    const { media, read, make } = await start();
    moveClock(0);
    const first = Date.now();
    await make(requestFor(media, { width: 1000 }));
    moveClock(5000);
    await make(cropOf(media));
    const times = (createdAt: number) => ({
      createdAt: new Date(createdAt).toISOString(),
      expiresAt: new Date(createdAt + VARIANT.lifetimeMs).toISOString(),
    });
    const { data } = await read();
    expect(data).toEqual([
      {
        file: cropOf(media).file,
        ...{ width: 500, height: 500, format: "png", quality: null },
        sizeBytes: "master at 500".length,
        ...times(first + 5000),
      },
      {
        file: `w1000-q80-e${ENCODER_VERSION}.webp`,
        ...{ width: 1000, height: 750, format: "webp", quality: 80 },
        sizeBytes: "master at 1000".length,
        ...times(first),
      },
    ]);
    moveClock(VARIANT.lifetimeMs - 5000);
    expect((await read()).data.map(({ file }) => file)).toEqual([cropOf(media).file]);
  });

  test("are listed as waiting, running or failed, with the reason", async () => {
    const { client, media, queue, read, make } = await start();
    const other = await makeMedia(client.space);
    moveClock(0);
    const now = Date.now();
    builder.next(fails("not a picture"));
    await make(requestFor(media, { width: 236 }));
    const gate = new Gate();
    builder.always(gate.hold);
    await queue.admit(requestFor(media, { width: 500 }));
    await queue.admit(requestFor(media, { width: 1000, lane: "heavy" }));
    await queue.admit(requestFor(other, { width: 750 }));
    const { data, meta } = await read();
    expect(data).toEqual([]);
    expect(meta.queued).toMatchObject([
      { width: 500, height: 375, format: "webp", quality: 80, lane: "light", state: "running", tries: 1 },
      { width: 1000, height: 750, lane: "heavy", state: "waiting", tries: 0 },
    ]);
    const retryAt = new Date(now + QUEUE.failureMemoryMs).toISOString();
    expect(meta.failed).toMatchObject([{ width: 236, height: 177, reason: "not a picture", retryAt }]);
    gate.open();
  });

  test("are those of the present file", async () => {
    const { media, read, make } = await start();
    await make(requestFor(media, { width: 500 }));
    expect((await read()).data).toHaveLength(1);
    await bindings.DB.batch([
      bindings.DB.prepare("UPDATE media SET master_version = 2 WHERE id = ?").bind(media.id),
      bindings.DB.prepare("UPDATE masters SET version = 2 WHERE media_id = ?").bind(media.id),
    ]);
    expect((await read()).data).toEqual([]);
  });

  test("are shown to keys of the space, but not for an item in the trash", async () => {
    const { client, media } = await start();
    const path = `/media/${media.id}/variants`;
    const reader = { key: await client.key("read") };
    const stranger = { key: await (await Client.make()).key("read") };
    const statusOf = async (key: { key: string | null }) =>
      (await client.call("GET", path, undefined, key)).status;
    expect([await statusOf(reader), await statusOf(stranger), await statusOf({ key: null })]).toEqual([
      200, 404, 401,
    ]);
    await client.call("DELETE", `/media/${media.id}`);
    expect(await statusOf(reader)).toBe(404);
  });
});
