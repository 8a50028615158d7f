/** Runs the same piece of work in this process with the builder's modules and with sharp. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import sharp, { type Sharp } from "sharp";
import { buildVariant } from "../../src/builder/build.ts";
import { decodeMaster } from "../../src/builder/decode-master.ts";
import { roomBeside } from "../../src/image/memory/isolate.ts";
import { decodingOf } from "../../src/image/formats/decodings.ts";
import { resampleRows } from "../../src/builder/pixels/resampler.ts";
import { workspaceOf } from "../../src/builder/streams/build-context.ts";
import { BuildMemory } from "../../src/builder/memory/build-memory.ts";
import type { BuildOrder } from "../../src/image/protocol/build.ts";
import type { PeerFormat } from "./peer-formats.ts";
import { specFor, wholeOf, contextOf } from "../harness/builds.ts";
import { probe } from "../harness/probe-run.ts";

/** About the size of a chunk that R2 streams. */
const PIECE_BYTES = 262_144;

export interface Work {
  file: Buffer;
  width: number;
  /** Null stops after the resize. */
  to: PeerFormat | null;
  /** The same variant as the builder's spec. */
  order: BuildOrder;
}

export interface Timed {
  ms: number;
  /** Processor time of all threads of this process. Other programs on the machine do not change it. */
  computedMs: number;
}

export interface Done extends Timed {
  /** As counted by the build itself. */
  peakBytes: number;
  /** The most bytes of the file that were held at once. */
  heldBytes: number;
  bytes: Buffer;
}

sharp.concurrency(1);
sharp.cache(false);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects garbage, starts a clock, and returns a function that reads it. */
function clock(): () => Timed {
  collect();
  const started = performance.now();
  const before = process.cpuUsage();
  return () => {
    const ms = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    return { ms, computedMs: (user + system) / 1000 };
  };
}

/** The file in pieces, without a copy: sharp also gets its file without a copy. */
function streamOf(file: Buffer): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < file.length) controller.enqueue(file.subarray(at, (at += PIECE_BYTES)));
      else controller.close();
    },
  });
}

/** The memories of a new isolate, which has built nothing yet. */
export const newBuildMemory = (): BuildMemory => new BuildMemory();

export function workOf(file: Buffer, width: number, to: Work["to"]): Work {
  const facts = probe(file);
  const spec = specFor(facts, { width, format: to ?? "png" });
  return { file, width, to, order: { spec, facts, sourceBytes: file.length, peakBytes: 1 } };
}

/** Reads all rows and discards them. */
async function decodeAndResize(memory: BuildMemory, order: BuildOrder, file: Buffer): Promise<number> {
  const { spec } = order;
  const context = contextOf(file, { facts: order.facts, memory, stream: streamOf(file) });
  try {
    const { decoder } = decodingOf(order.facts).decode(order.facts, file.length, spec, roomBeside(0));
    const rows = await decodeMaster(context, { decoder, to: spec, canvasBytes: 0 });
    const resized = resampleRows(workspaceOf(context, "resampler"), rows, spec);
    while (await resized.next());
    memory.countArena();
    return memory.meter.peakBytes;
  } finally {
    memory.clear();
    await context.source.close();
  }
}

async function wholeBuild(
  memory: BuildMemory,
  order: BuildOrder,
  file: Buffer,
): Promise<Omit<Done, keyof Timed>> {
  const { facts, spec } = order;
  const context = contextOf(file, { facts, spec, memory, stream: streamOf(file) });
  try {
    const { pieces, peakBytes, mostBytes } = await wholeOf(buildVariant(context));
    return { peakBytes, heldBytes: mostBytes, bytes: Buffer.concat(pieces) };
  } finally {
    await context.source.close();
  }
}

/** Runs the work with the builder. */
export async function byBuilder(shop: BuildMemory, work: Work): Promise<Done> {
  const { file, to, order } = work;
  const elapsed = clock();
  const done = to
    ? await wholeBuild(shop, order, file)
    : { peakBytes: await decodeAndResize(shop, order, file), heldBytes: 0, bytes: Buffer.alloc(0) };
  return { ...elapsed(), ...done };
}

/** PNG gets no quality, because sharp would reduce the picture to a palette. */
const encoded = (picture: Sharp, to: PeerFormat, quality: number): Sharp =>
  to === "png" ? picture.png() : picture.toFormat(to, { quality });

/** Runs the work with sharp's defaults. `quality` is on the encoder's own scale. */
export async function bySharp({ file, width, to }: Work, quality = 80): Promise<Timed & { bytes: Buffer }> {
  const elapsed = clock();
  const resized = sharp(file, { limitInputPixels: false }).autoOrient().resize(width);
  const bytes = await (to ? encoded(resized, to, quality) : resized.raw()).toBuffer();
  return { ...elapsed(), bytes };
}
