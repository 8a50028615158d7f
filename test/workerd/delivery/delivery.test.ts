import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { deliver, type DeliveryTools } from "../../../src/edge/delivery/deliver.ts";
import { outcomeHeaders } from "../../../src/edge/delivery/outcome.ts";
import { parsePictureParameters } from "../../../src/image/parameters/read.ts";
import type { Env } from "../../../src/edge/config.ts";
import type { SpaceQueueApi } from "../../../src/edge/messages.ts";
import { countedD1, database } from "../../../src/edge/storage/database/database.ts";
import { readPrimary } from "../../../src/edge/storage/database/read-database.ts";
import { pictureSource } from "../../../src/edge/storage/pictures/pictures.ts";
import { cleanBetweenTests, hastyVisitors } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { build, builder, fails, Gate } from "../support/fake-builder.ts";
import { picture, request } from "../support/http.ts";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";
import {
  bindings,
  JPEG_FACTS,
  makeMedia,
  makeSpace,
  newId,
  type Media,
  type Space,
} from "../support/rows.ts";

cleanBetweenTests();

let space: Space;
let media: Media;
beforeEach(async () => {
  space = await makeSpace();
  media = await makeMedia(space, {
    ...JPEG_FACTS,
    width: 1200,
    height: 900,
    codedWidth: 1200,
    codedHeight: 900,
  });
});

describe("a cold light variant", () => {
  it("is built in the first visitor's own request, and a hit from then on", async () => {
    const first = await picture(space.name, media.id, "w=64");
    expect(first).toMatchObject({
      status: 302,
      state: "built",
      file: "variant",
      width: 64,
      cacheControl: "public, max-age=300",
    });
    expect(first.path).toBe(`/cdn/v/${space.id}/${media.id}/1/w64-q80-e${ENCODER_VERSION}.jpg`);
    expect(await picture(space.name, media.id, "w=64")).toMatchObject({
      state: "hit",
      file: "variant",
      path: first.path,
    });
    expect(builder.widths()).toEqual([64]);
  });

  it("that takes too long is queued: the master for 30 seconds, and a hit once it is built", async () => {
    const gate = new Gate();
    hastyVisitors();
    builder.next(gate.hold);
    const late = await picture(space.name, media.id, "w=64");
    expect(late).toMatchObject({ state: "queued", file: "master", cacheControl: "public, max-age=30" });
    expect(late.path).toContain("/cdn/m/");
    expect(await picture(space.name, media.id, "w=64")).toMatchObject({ state: "coalesced", file: "master" });
    gate.open();
    await eventually(async () =>
      expect(await picture(space.name, media.id, "w=64")).toMatchObject({ state: "hit" }),
    );
    expect(builder.widths()).toEqual([64]);
  });

  it("that cannot be built is unavailable for ten minutes, after one try", async () => {
    builder.next(fails("no picture in it"));
    for (let i = 0; i < 3; i++) {
      const answer = await picture(space.name, media.id, "w=64");
      expect(answer).toMatchObject({ state: "unavailable", width: 1200, cacheControl: "no-store" });
    }
    expect(builder.widths()).toEqual([64]);
  });
});

describe("D1 queries", () => {
  const asked = (query: string) => ({
    spaceName: space.name,
    mediaId: media.id,
    parameters: parsePictureParameters(new URLSearchParams(query)),
    accept: null,
    client: "203.0.113.1",
    arrivedAt: Date.now(),
  });
  const tools = (count: { queries: number }): DeliveryTools => ({
    pictures: pictureSource(readPrimary(database(countedD1((env as unknown as Env).DB, count))), Date.now),
    queueOf: () =>
      bindings.SPACE_QUEUE.get(bindings.SPACE_QUEUE.idFromName(space.id)) as unknown as SpaceQueueApi,
    now: Date.now,
    waitUntil: () => undefined,
    log: () => undefined,
    note: () => undefined,
  });

  it("of a hit: one when the isolate has not seen the picture lately, none when it has", async () => {
    builder.always(build);
    await picture(space.name, media.id, "w=64");
    const other = await makeSpace();
    const fresh = await makeMedia(other);
    space = other;
    media = fresh;
    const cold = { queries: 0 };
    expect(await deliver(asked(""), tools(cold))).toMatchObject({ isMaster: true });
    expect(cold.queries).toBe(1);
    const warm = { queries: 0 };
    await deliver(asked(""), tools(warm));
    expect(warm.queries).toBe(0);
  });

  it("of a cold variant: one more than the isolate's memory, never more", async () => {
    const count = { queries: 0 };
    await deliver(asked(""), tools(count));
    await deliver(asked("w=64"), tools(count));
    expect(count.queries).toBe(2);
  });
});

describe("a queue that does not answer within the wait", () => {
  it("gives the master, queued, and the admission goes on in waitUntil", async () => {
    hastyVisitors();
    const kept: Promise<unknown>[] = [];
    const never = (): Promise<never> => new Promise(() => undefined);
    const silent = { admit: never, settled: never } as unknown as SpaceQueueApi;
    const outcome = await deliver(
      {
        spaceName: space.name,
        mediaId: media.id,
        parameters: parsePictureParameters(new URLSearchParams("w=64")),
        accept: null,
        client: "203.0.113.1",
        arrivedAt: Date.now(),
      },
      {
        pictures: pictureSource(readPrimary(database(bindings.DB)), Date.now),
        queueOf: () => silent,
        now: Date.now,
        waitUntil: (work) => void kept.push(work),
        log: () => undefined,
        note: () => undefined,
      },
    );
    expect(outcome).toMatchObject({ isMaster: true, state: "queued" });
    expect(outcomeHeaders(outcome, Date.now())).toMatchObject({ "Cache-Control": "public, max-age=30" });
    expect(kept).toHaveLength(2);
  });
});

describe("a picture over the limits (RULES 9.4, 9.5)", () => {
  it("is answered with the master, unavailable, and the queue is not asked", async () => {
    const huge = await makeMedia(space, {
      ...JPEG_FACTS,
      width: 9000,
      height: 9000,
      codedWidth: 9000,
      codedHeight: 9000,
    });
    expect(await picture(space.name, huge.id, "w=64")).toMatchObject({ state: "unavailable", width: 9000 });
    expect(builder.widths()).toEqual([]);
  });
});

describe("an immutable file", () => {
  it("whose bytes are missing is forgotten, so that it is built again without a redirect loop", async () => {
    const { path } = await picture(space.name, media.id, "w=64");
    await bindings.BUCKET.delete(path.replace("/cdn/", ""));
    const gone = await request(path);
    expect(gone.status).toBe(302);
    expect(gone.headers.get("Location")).toBe(`/api/v1/${space.name}/pictures/${media.id}?w=64&q=80&fm=jpeg`);
  });

  it("is served while its media item exists, and 404 once that is trashed", async () => {
    const { path } = await picture(space.name, media.id, "");
    const served = await request(path);
    expect(await served.text()).toBe("master");
    await bindings.DB.prepare("UPDATE media SET deleted_at = 1 WHERE id = ?").bind(media.id).run();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_000 });
    expect((await request(path)).status).toBe(404);
    expect((await picture(space.name, media.id, "")).status).toBe(404);
  });

  it("is never served under the address of another media item or space", async () => {
    const { path } = await picture(space.name, media.id, "");
    expect((await request(path.replace(media.id, newId()))).status).toBe(404);
    expect((await request(path.replace(space.id, newId()))).status).toBe(404);
    expect((await request(path.replace("/1/", "/2/"))).status).toBe(404);
    expect((await request(path.replace("/1/", "/01/"))).status).toBe(404);
  });
});
