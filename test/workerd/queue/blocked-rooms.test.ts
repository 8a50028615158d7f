/** Rooms whose isolate computes in one piece, for this space or another one: they cannot even say that they are busy. */
import { beforeEach, expect, test } from "vitest";
import { QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests, hastyRooms } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { build, builder } from "../support/builder/fake-builder.ts";
import { queueOf, queueSql, requestFor } from "../support/queue.ts";
import { makeMedia, makeSpace } from "../support/rows.ts";

cleanBetweenTests();
beforeEach(hastyRooms);

async function start() {
  const space = await makeSpace();
  const media = await makeMedia(space);
  return { space, queue: queueOf(space), request: requestFor(media, { width: 500 }) };
}

const jobsOf = (space: Parameters<typeof queueSql>[0]) =>
  queueSql<{ attempts: number; busy_since: number | null }>(space, "SELECT attempts, busy_since FROM jobs");

test("the next room is asked, and the build is made there once", async () => {
  const { queue, request } = await start();
  builder.block(0);
  builder.block(1);
  await queue.admit(request);
  expect(await queue.settled(request.key)).toEqual({ state: "built" });
  expect(builder.rooms()).toEqual([2]);
});

test("a room that has opened the master is waited for, however long it computes", async () => {
  const { queue, request } = await start();
  builder.block(0, "pings");
  builder.always(async (call) => {
    await call.readMaster();
    await scheduler.wait(2 * QUEUE.roomAnswerMs);
    return build(call);
  });
  await queue.admit(request);
  expect(await queue.settled(request.key)).toEqual({ state: "built" });
  expect(builder.rooms()).toEqual([0]);
});

test("with every room blocked the job waits, and no try of it counts", async () => {
  const { space, queue, request } = await start();
  for (let room = 0; room < QUEUE.roomsPerSpace; room++) builder.block(room);
  await queue.admit(request);
  await eventually(async () => expect((await jobsOf(space))[0]?.busy_since).not.toBeNull());
  expect((await jobsOf(space))[0]?.attempts).toBeLessThanOrEqual(1);
  expect(builder.rooms()).toEqual([]);
});
