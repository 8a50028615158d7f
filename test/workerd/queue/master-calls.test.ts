/** The bodies that R2 has opened and no build reads any more (RULES 10.4). */
import { describe, expect, test, vi } from "vitest";
import { BuildClock } from "../../../src/edge/queue/work/build-clock.ts";
import { makePlaceholder } from "../../../src/edge/queue/work/make-placeholder.ts";
import { callsFor } from "../../../src/edge/queue/work/master-calls.ts";
import type { Env } from "../../../src/edge/config.ts";
import type { OpenMaster } from "../../../src/image/protocol/build.ts";
import { AS_PIECES } from "../../../src/image/protocol/previous-version.ts";
import { MEGABYTE_BYTES } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { rowOf, start } from "../support/builder/placeholders.ts";
import { requestFor } from "../support/queue.ts";
import { bindings, makeMedia, makeSpace } from "../support/rows.ts";

cleanBetweenTests();

const SIZE_BYTES = 9 * MEGABYTE_BYTES;

/** Returns a bucket whose bodies count how many of them are open. */
function counted() {
  const bodies = { opened: 0, cancelled: 0 };
  const get = (_: string, { range }: { range: { length: number } }) => {
    bodies.opened += 1;
    let left = range.length;
    const body = new ReadableStream({
      type: "bytes",
      pull(controller) {
        const request = controller.byobRequest;
        if (!request?.view) return;
        const count = Math.min(request.view.byteLength, left);
        left -= count;
        request.respond(count);
        if (left === 0) controller.close();
      },
      cancel: () => void (bodies.cancelled += 1),
    });
    return Promise.resolve({ body });
  };
  return { bucket: { get } as unknown as R2Bucket, bodies };
}

/** Returns the Worker's bindings with a room that behaves as a test says. */
function envWith(bucket: R2Bucket, placeholderFrom: (open: OpenMaster) => Promise<never>): Env {
  const room = {
    ping: () => Promise.resolve({ ok: true }),
    placeholderFrom: (_: unknown, open: OpenMaster) => placeholderFrom(open),
  };
  const rooms = { idFromName: (name: string) => name, get: () => room };
  return { ...bindings, BUCKET: bucket, BUILD_ROOM: rooms } as unknown as Env;
}

const opensAndIsLost = async (open: OpenMaster): Promise<never> => {
  await open("pieces");
  throw new Error("Network connection lost.");
};

const tryOf = (spaceId: string) => ({
  ...{ spaceId, signal: new AbortController().signal },
  isOverdue: false,
});

describe("a master that was opened", () => {
  test("is cancelled when its placeholder is lost", async () => {
    const { space, media } = await start();
    await bindings.DB.prepare("UPDATE masters SET size_bytes = ? WHERE media_id = ?")
      .bind(SIZE_BYTES, media.id)
      .run();
    const { bucket, bodies } = counted();
    const outcome = await makePlaceholder(envWith(bucket, opensAndIsLost), tryOf(space.id));
    expect(outcome).toMatchObject({ state: "lost" });
    await eventually(() => expect(bodies).toEqual({ opened: 2, cancelled: 2 }));
  });

  test("and is shorter than its row uses up a try of its placeholder: another read would find the same", async () => {
    const { space, media } = await start();
    await bindings.DB.prepare("UPDATE masters SET size_bytes = 100 WHERE media_id = ?").bind(media.id).run();
    const env = envWith(bindings.BUCKET, opensAndIsLost);
    expect(await makePlaceholder(env, tryOf(space.id))).toMatchObject({
      state: "lost",
    });
    expect(await rowOf(media)).toMatchObject({ tries: 1 });
  });

  test("is cancelled when its build needs no more of it, which is when the log's time of it ends", async () => {
    const { bucket, bodies } = counted();
    const clock = new BuildClock();
    const ended = vi.spyOn(clock, "masterIsRead");
    const { order } = requestFor(await makeMedia(await makeSpace()), { width: 500 });
    const calls = callsFor(
      bucket,
      "m/a",
      { ...order, sourceBytes: SIZE_BYTES },
      new AbortController().signal,
      clock,
    );
    await calls.open(AS_PIECES);
    calls.end();
    await ended.mock.calls[0]?.[0];
    await eventually(() => expect(bodies).toEqual({ opened: 2, cancelled: 2 }));
  });
});
