/** Cold variants of pictures that the isolate remembers or a replica shows, while the primary may know better. */
import { beforeEach, describe, expect, it } from "vitest";
import { deliver, type DeliveryTools } from "../../../src/edge/delivery/deliver.ts";
import type { Outcome } from "../../../src/edge/delivery/outcome.ts";
import { parsePictureParameters } from "../../../src/image/parameters/read.ts";
import type { AdmitRequest } from "../../../src/edge/messages.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import {
  pictureSource,
  type FoundPicture,
  type StoredPicture,
} from "../../../src/edge/storage/pictures/pictures.ts";
import { readPrimary } from "../../../src/edge/storage/database/read-database.ts";
import { focalPointOf } from "../../../src/image/geometry/focal-point.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, type Media, type Space } from "../support/rows.ts";

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

interface Views {
  /** The row that a replica shows in place of the primary's. */
  older?: Partial<StoredPicture>;
  /** Returns the row that the primary answers. */
  primary?: (real: FoundPicture) => FoundPicture | null | Promise<FoundPicture | null>;
}

/** Delivers a crop whose build ends at once, and returns the outcome and the files that were asked of the queue. */
async function ask({
  older = {},
  primary = (real) => real,
}: Views): Promise<{ asked: string[]; of: Outcome }> {
  const asked: string[] = [];
  const address = { spaceName: space.name, mediaId: media.id };
  const source = pictureSource(readPrimary(database(bindings.DB)), Date.now);
  const queue = {
    admit(request: AdmitRequest) {
      asked.push(request.file);
      return Promise.resolve({ state: "accepted", lane: "light" });
    },
    settled: () => Promise.resolve({ state: "built" }),
  };
  const tools: DeliveryTools = {
    pictures: {
      async get(of) {
        const real = (await source.refresh(of))!;
        return { picture: { ...real.picture, ...older }, from: "replica" };
      },
      refresh: async (of) => primary((await source.refresh(of))!),
      withBuilt: (...built) => source.withBuilt(...built),
    },
    queueOf: () => queue as unknown as ReturnType<DeliveryTools["queueOf"]>,
    now: Date.now,
    waitUntil: () => undefined,
    log: () => undefined,
    note: () => undefined,
  };
  const parameters = parsePictureParameters(new URLSearchParams("w=500&ar=1:1"));
  const more = { parameters, accept: null, client: "203.0.113.1", arrivedAt: Date.now() };
  return { of: await deliver({ ...address, ...more }, tools), asked };
}

describe("a cold variant of an older view", () => {
  it("that the primary confirms is built once, and the edge may keep it", async () => {
    const { of, asked } = await ask({});
    expect(asked).toHaveLength(1);
    expect(of).toMatchObject({ state: "built", isMaster: false, from: "primary" });
  });

  it("whose focal point has moved since leads to the new crop", async () => {
    const { of, asked } = await ask({ older: { focalPoint: focalPointOf({ x: 0, y: 0 }) } });
    expect(asked).toHaveLength(2);
    expect(of).toMatchObject({ state: "built", from: "primary" });
    expect(of.key.endsWith(asked[1]!)).toBe(true);
    expect(asked[0]).not.toBe(asked[1]);
  });

  it("whose master was replaced since leads to the new master's variant", async () => {
    const { of } = await ask({ older: { version: 7 } });
    expect(of.key).toContain(`/${media.id}/1/`);
  });

  it("that was trashed since is not found", async () => {
    await expect(ask({ primary: () => null })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    ["fails", () => Promise.reject(new Error("D1 is away"))],
    ["does not answer in time", (real: FoundPicture): FoundPicture => ({ ...real, from: "held" })],
  ])("goes out, and is not kept at the edge, if the primary %s", async (_, primary) => {
    const { of } = await ask({ primary });
    expect(of).toMatchObject({ state: "built", from: "replica" });
  });
});
