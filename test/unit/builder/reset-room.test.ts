/** Rooms of the real builder in workerd, in one isolate: one that is reset leaves nothing behind that stops the others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import sharp from "sharp";
import { fitsIsolate, peakOf } from "../../../src/image/memory/isolate.ts";
import { BUILDER, ISOLATE, MASTER_PIECES, MEGABYTE_BYTES } from "../../../src/limits.ts";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";
import type { BuildOrder } from "../../../src/image/protocol/build.ts";
import { orderFor } from "../../../src/image/protocol/order.ts";
import { build, planFor, specFor } from "../../../scripts/harness/builds.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";
import { image, photo } from "../../../scripts/samples/pictures.ts";
import { type Answer, type BuilderWorker, startBuilder } from "../../support/builder-worker.ts";

const ASK = { width: 300, format: "webp" } as const;
/** The bytes of the arena, and of a variant beside it: together more than an isolate has. */
const GROWN_BYTES = 40 * MEGABYTE_BYTES;
const LONG_BYTES = 76 * MEGABYTE_BYTES;

let builder: BuilderWorker;
let master: Buffer;
let order: BuildOrder;
let wanted: Buffer;
beforeAll(async () => {
  builder = await startBuilder();
  master = await image(await photo(1200, 900))
    .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
    .toBuffer();
  // A build can wait for its second piece.
  expect(master.length).toBeGreaterThan(MASTER_PIECES.bytes);
  const facts = probe(master);
  const spec = specFor(facts, ASK);
  order = orderFor(facts, master.length, spec, planFor(facts, master.length, spec));
  wanted = (await build(master, ASK)).bytes;
});
afterAll(() => builder.dispose());

/** Starts a build whose master stops in its middle, once it has been opened. */
async function stall(room: string): Promise<{ stalled: Promise<Answer> }> {
  const before = await builder.stalled();
  const stalled = builder.buildStalled(room, order, master);
  while ((await builder.stalled()) === before) await new Promise((resolve) => setTimeout(resolve, 50));
  return { stalled };
}

/** Asks until there is an answer that is not `busy`, as the queue does. */
async function buildInTime(room: string): Promise<{ answer: Uint8Array | Answer; refusals: Answer[] }> {
  const refusals: Answer[] = [];
  for (;;) {
    const answer = await builder.build(room, order, master);
    if (answer instanceof Uint8Array || answer.code !== "busy") {
      return { answer, refusals };
    }
    refusals.push(answer);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

it("a room that is reset in the middle of a build does not keep the isolate busy", async () => {
  const { stalled } = await stall("a#0");
  expect(await builder.build("b#0", order, master)).toMatchObject({ code: "busy", opens: 0 });
  await builder.reset("a#0");
  expect(await stalled).toMatchObject({ lost: expect.any(String) as string });
  const { answer, refusals } = await buildInTime("b#0");
  expect(Buffer.from(answer as Uint8Array)).toEqual(wanted);
  // None of those who found no room has opened its master.
  expect(new Set(refusals.map(({ opens }) => opens))).toEqual(new Set([0]));
  expect(Buffer.from((await builder.build("a#0", order, master)) as Uint8Array)).toEqual(wanted);
});

it("a build that waits for its master is not taken for one that was reset", async () => {
  const { stalled } = await stall("a#0");
  for (const until = Date.now() + BUILDER.silentMs + 3000; Date.now() < until;) {
    expect(await builder.build("b#0", order, master)).toMatchObject({ code: "busy" });
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await builder.reset("a#0");
  expect(await stalled).toHaveProperty("lost");
  expect((await buildInTime("b#0")).answer).toBeInstanceOf(Uint8Array);
});

it("encoders of another version are not used, and the master is not opened for them", async () => {
  const other = { ...order, encoderVersion: ENCODER_VERSION + 1 };
  expect(await builder.build("a#0", other, master)).toMatchObject({ code: "version", opens: 0 });
});

it("an answer names its isolate, the same for all rooms in it", async () => {
  const other = { ...order, encoderVersion: ENCODER_VERSION + 1 };
  const [one, two] = await Promise.all(["a#0", "b#3"].map((room) => builder.build(room, other, master)));
  expect((one as Answer).isolate).toMatch(/^[0-9a-f]{8}$/);
  expect((two as Answer).isolate).toBe((one as Answer).isolate);
});

it("a failure says whose fault it is and where it happened", async () => {
  const damaged = Uint8Array.from(master);
  damaged.fill(0xff, damaged.length >> 1);
  expect(await builder.build("a#0", order, damaged)).toMatchObject({
    ok: false,
    code: "failed",
    failure: { code: "corrupt", stage: "decode" },
  });
});

it("memories that have grown keep nothing out: what lies idle of them may hold a variant", async () => {
  const flat = (background: string): Promise<Buffer> =>
    sharp({ create: { width: 2500, height: 2500, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = [await flat("#678"), await flat("#876")];
  const large = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const facts = probe(large);
  const spec = specFor(facts, ASK);
  const plan = planFor(facts, large.length, spec);
  expect(plan.memory.arena).toBeGreaterThan(GROWN_BYTES);
  expect(await builder.build("a#0", orderFor(facts, large.length, spec, plan), large)).toBeInstanceOf(
    Uint8Array,
  );
  // As an animation whose file is long: next to nothing of the arena, and most of an isolate beside it.
  const memory = { ...planFor(probe(master), master.length, order.spec).memory, output: LONG_BYTES };
  expect(fitsIsolate(memory)).toBe(true);
  expect(memory.output + plan.memory.arena).toBeGreaterThan(ISOLATE.buildBytes);
  const wide = { ...order, plan: { ...order.plan, memory: { ...memory, peak: peakOf(memory) } } };
  expect(Buffer.from((await builder.build("a#0", wide, master)) as Uint8Array)).toEqual(wanted);
  expect(Buffer.from((await builder.build("b#0", order, master)) as Uint8Array)).toEqual(wanted);
});
