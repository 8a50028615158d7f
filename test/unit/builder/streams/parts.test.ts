/** Files that go out in parts: their sizes, their bytes, and the end of a build before its last part. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { bodyOf } from "../../../../src/builder/streams/portable-output.ts";
import { inParts, type Part } from "../../../../src/builder/streams/parts.ts";
import { SourceLost } from "../../../../src/builder/streams/source.ts";
import { take } from "../../../../scripts/harness/builds.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import type {
  BuildAnswer,
  BuildOrder,
  BuiltPart,
  RestOfBuild,
} from "../../../../src/image/protocol/build.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { MULTIPART } from "../../../../src/limits.ts";
import { type Ask, askedOrder, bitmap, order, partsOf } from "../../../../scripts/harness/builds.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { type Bitmap, psnr } from "../../../../scripts/harness/ssim.ts";

const PART = MULTIPART.partBytes;
type Bytes = Uint8Array<ArrayBuffer>;

/** Returns so many bytes that no two stretches of them are alike. */
function numbered(length: number, n: number): Bytes {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = (at >> 8) + n;
  return bytes;
}

describe("chunks of a row encoder", () => {
  const split = async (...lengths: number[]): Promise<{ parts: Part[]; isEqual: boolean }> => {
    const chunks = lengths.map(numbered);
    const whole = Buffer.concat(chunks);
    const parts: Part[] = [];
    const running = inParts(new BuildMemory(), given(chunks));
    for (let step = await running.next(); ; step = await running.next()) {
      parts.push(step.value);
      if (step.done) break;
    }
    const pieces = parts.flatMap((part) => part.pieces);
    for (const piece of pieces) expect(piece.buffer.byteLength).toBe(piece.length);
    return { parts, isEqual: Buffer.concat(pieces).equals(whole) };
  };
  // eslint-disable-next-line @typescript-eslint/require-await -- as an encoder gives them
  async function* given(chunks: Bytes[]): AsyncGenerator<Bytes> {
    yield* chunks;
  }

  it.each<[name: string, chunks: number[], parts: number[]]>([
    ["less than a part", [100, PART - 101], [PART - 1]],
    ["exactly one", [PART - 1, 1], [PART]],
    ["a byte more", [PART - 1, 2], [PART, 1]],
    ["a part to its end, then more", [PART, 1], [PART, 1]],
    ["a part and a half", [1000, PART, PART / 2 - 1000], [PART, PART / 2]],
    ["two parts", [PART - 7, PART - 7, 14], [PART, PART]],
  ])("of %s", async (_, chunks, expected) => {
    const { parts, isEqual } = await split(...chunks);
    expect(parts.map(({ byteLength }) => byteLength)).toEqual(expected);
    expect(isEqual).toBe(true);
  });
});

const WIDTH = 2400;
let master: Buffer;
let masterFacts: MasterFacts;
/** The variant that is built next. */
let other: Buffer;
let otherBySharp: Bitmap;
beforeAll(async () => {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 50 };
  const png = (width: number, height: number): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background: "#000", noise } })
      .png({ compressionLevel: 1 })
      .toBuffer();
  master = await png(WIDTH, 1800);
  masterFacts = probe(master);
  other = await png(800, 600);
  otherBySharp = await bitmap(sharp(other).resize(SMALL.width), 3);
});

const PNG: Ask = { format: "png", effort: "quick" };
const SMALL: Ask = { width: 200, format: "jpeg" };

/** Returns the first part, and the function that gives the others. */
async function begun(answer: BuildAnswer): Promise<{ first: Buffer; rest: RestOfBuild }> {
  if (!answer.ok || !answer.rest) throw new Error("the answer is no first part");
  return { first: Buffer.from(await new Response(answer.body).arrayBuffer()), rest: answer.rest };
}

async function cancel({ body }: BuiltPart): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel();
}

const orderOfMaster = (): BuildOrder => askedOrder(master, PNG, masterFacts);

/** So long that a busy machine takes a part within it. */
const ABANDONED_MS = 3000;

/** Waits for the end of a build whose caller asks for no more of it. */
async function untilAbandoned(): Promise<void> {
  for (;;) {
    const answer = await order(other, SMALL);
    if (answer.ok) return cancel(answer);
    expect(answer.code).toBe("busy");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function expectNextIsRight(): Promise<void> {
  const answer = await order(other, SMALL);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  const { parts } = await partsOf(answer);
  expect(psnr(await bitmap(sharp(Buffer.concat(parts)), 3), otherBySharp)).toBeGreaterThan(25);
}

describe("a file of more than a part", () => {
  it.each<Ask>([PNG, { format: "jpeg", quality: 100 }])("is whole at the end: $format", async (ask) => {
    const answer = await order(master, ask, masterFacts);
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    expect(answer.facts).toBeNull();
    const { parts, facts } = await partsOf(answer);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts.slice(0, -1)) expect(part.length).toBe(PART);
    expect(facts.width).toBe(WIDTH);
    const mine = await bitmap(sharp(Buffer.concat(parts)), 3);
    expect(psnr(mine, await bitmap(sharp(master), 3))).toBeGreaterThan(ask.format === "png" ? 99 : 38);
    await expectNextIsRight();
  });

  it("is computed only as far as it was asked for, and keeps others out until it ends", async () => {
    const { rest } = await begun(await order(master, PNG, masterFacts));
    expect(await order(other, SMALL)).toEqual({ ok: false, code: "busy" });
    const second = await rest.next();
    expect(second).toMatchObject({ ok: true, byteLength: PART, facts: null });
    expect(await order(other, SMALL)).toEqual({ ok: false, code: "busy" });
    if (second.ok) await cancel(second);
    for (let next = await rest.next(); next.ok; next = await rest.next()) {
      await cancel(next);
      if (next.facts) break;
    }
    await expectNextIsRight();
  });
});

describe("a build that ends before its last part", () => {
  it("is failed when the picture turns out to be at fault", async () => {
    const damaged = Buffer.from(master);
    damaged.fill(0xaa, Math.floor(master.length * 0.7), Math.floor(master.length * 0.7) + 1000);
    const { rest } = await begun(await take(orderOfMaster(), damaged));
    let next = await rest.next();
    while (next.ok && !next.facts) {
      await cancel(next);
      next = await rest.next();
    }
    expect(next).toMatchObject({ ok: false, code: "failed" });
    expect(await rest.next()).toMatchObject({ ok: false, code: "failed" });
    await expectNextIsRight();
  });

  it("is a loss when the rest of the master does not arrive", async () => {
    const part = master.subarray(0, Math.floor(master.length * 0.7));
    const { rest } = await begun(await take(orderOfMaster(), part));
    const allOfIt = async (): Promise<void> => {
      for (let next = await rest.next(); next.ok && !next.facts; next = await rest.next()) await cancel(next);
    };
    await expect(allOfIt()).rejects.toThrow(SourceLost);
    await expectNextIsRight();
  });

  const exit = (abandonedMs: number) => {
    const ended: (() => Promise<void>)[] = [];
    return {
      end: (): Promise<void> => ended[0]!(),
      exit: {
        send: bodyOf,
        abandonedMs,
        handOver(build: RestOfBuild & { end(): Promise<void> }) {
          ended.push(() => build.end());
          return build;
        },
      },
    };
  };

  it("makes room for others when nobody asks for more", async () => {
    const { rest } = await begun(await take(orderOfMaster(), master, exit(ABANDONED_MS)));
    await untilAbandoned();
    await expectNextIsRight();
    expect(await rest.next()).toMatchObject({ ok: false, code: "failed" });
    await expectNextIsRight();
  });

  it("makes room for others when it is broken off: at rest, and at work", async () => {
    const resting = exit(60_000);
    await begun(await take(orderOfMaster(), master, resting));
    await resting.end();
    await expectNextIsRight();
    const working = exit(60_000);
    const { rest } = await begun(await take(orderOfMaster(), master, working));
    const next = rest.next().catch((error: unknown) => error);
    await working.end();
    expect(await next).not.toMatchObject({ ok: true });
    await expectNextIsRight();
  });

  it("makes room when the part before is not taken either", async () => {
    const answer = await take(orderOfMaster(), master, exit(ABANDONED_MS));
    await untilAbandoned();
    await expectNextIsRight();
    expect(answer.ok).toBe(true);
  });
});
