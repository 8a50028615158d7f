/** Runs builds as the queue would order them, and decodes their output by sharp. */
import { readFile } from "node:fs/promises";
import type { Sharp } from "sharp";
import type { Built } from "../../src/builder/build.ts";
import { BuildMemory } from "../../src/builder/memory/build-memory.ts";
import { WorkMeter } from "../../src/builder/scheduling/work-meter.ts";
import type { BuildContext, ReadFont } from "../../src/builder/streams/build-context.ts";
import { openSource, type Source } from "../../src/builder/streams/source.ts";
import { partOf, type Parts } from "../../src/builder/streams/parts.ts";
import { acceptOrder, acceptPlaceholder, type Exit, withOpened } from "../../src/builder/accept-order.ts";
import type {
  BuildAnswer,
  BuildFacts,
  BuildOrder,
  BuiltPart,
  MasterPieces,
  OpenMaster,
  ReadRange,
} from "../../src/image/protocol/build.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../../src/image/protocol/placeholder.ts";
import type { BuildPlan } from "../../src/image/plan/build-plan.ts";
import { planUnbounded } from "../../src/image/plan/plan.ts";
import { parseRatio } from "../../src/image/geometry/aspect-ratio.ts";
import { cropOf } from "../../src/image/geometry/crop.ts";
import { CENTRE, type FocalPoint } from "../../src/image/geometry/focal-point.ts";
import { heightAt } from "../../src/image/geometry/grid.ts";
import type { Effort } from "../../src/image/model/effort.ts";
import type { MasterFacts } from "../../src/image/model/facts.ts";
import {
  ENCODER_VERSION,
  takesQuality,
  type OutputFormat,
  type Quality,
  type VariantSpec,
} from "../../src/image/model/variant.ts";
import { MASTER_PIECES } from "../../src/limits.ts";
import { rangesOf, streamOf } from "./master-streams.ts";
import { probe } from "./probe-run.ts";
import type { Bitmap } from "./ssim.ts";

export { rangesOf, streamOf } from "./master-streams.ts";

export interface Ask {
  /** The width of the output; by default that of the master or the crop. */
  width?: number;
  format: OutputFormat;
  quality?: Quality;
  /** The ratio `W:H` of a crop around `focalPoint`, or around the centre. */
  ratio?: string;
  focalPoint?: FocalPoint;
  /** How hard it is encoded; thoroughly by default. PNGs that are only read for their pixels are encoded quickly. */
  effort?: Effort;
}

export interface Variant {
  bytes: Buffer;
  spec: VariantSpec;
  facts: BuildFacts;
  masterFacts: MasterFacts;
  predictedBytes: number;
}

export function specFor(facts: MasterFacts, ask: Ask): VariantSpec {
  const { format, quality = 80, focalPoint = CENTRE } = ask;
  const ratio = ask.ratio === undefined ? null : parseRatio(ask.ratio);
  const crop = ratio && cropOf(facts, ratio, focalPoint);
  const width = ask.width ?? (crop?.rect ?? facts).width;
  return {
    width,
    height: heightAt(width, crop?.ratio ?? facts),
    format,
    quality: takesQuality(format) ? quality : null,
    animated: false,
    ...(crop && { crop }),
  };
}

/** Reads a face of the font where `npm run` has put it. */
export const readFont: ReadFont = async (face) =>
  Uint8Array.from(await readFile(new URL(`../../dist/fonts/${face}.ttf`, import.meta.url)));

/** The plan of a build, without limits. @throws Error when it cannot be built at all */
export function planFor(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): BuildPlan {
  const plan = planUnbounded(facts, sourceBytes, spec);
  if (!plan.ok) throw new Error(plan.reason);
  return plan;
}

/** The context of a build of `file` without an order. The caller closes its source. */
export function contextOf(
  file: Uint8Array,
  {
    facts = probe(file),
    spec = sameAs(facts),
    memory = new BuildMemory(),
    stream = streamOf(file),
  }: {
    facts?: MasterFacts;
    spec?: VariantSpec;
    memory?: BuildMemory;
    stream?: ReadableStream<Uint8Array>;
  } = {},
): BuildContext<BuildPlan> & { source: Source } {
  const plan = planFor(facts, file.length, spec);
  const source = openSource(stream, file.length, { readRange: rangesOf(file) });
  return { plan, facts, source, readFont, memory, work: new WorkMeter() };
}

/** A variant with the size of the master, in a format that supports it. */
const sameAs = ({ width, height, animated }: MasterFacts): VariantSpec =>
  animated
    ? { width, height, format: "webp", quality: 80, animated }
    : { width, height, format: "png", quality: null, animated };

/** Orders a build like an older edge, which opens the master first. @returns the answer without the isolate's name and its times */
export async function take(
  order: BuildOrder,
  master: ReadableStream<Uint8Array>,
  exit?: Exit,
  readRange?: ReadRange,
): Promise<BuildAnswer> {
  return taken(await withOpened(master, (open) => accept(order, open, exit, readRange)));
}

/** The same with the master in pieces, as the queue hands it over. */
export async function takePieces(order: BuildOrder, file: Uint8Array): Promise<BuildAnswer> {
  const { bytes } = MASTER_PIECES;
  let at = bytes;
  const next = (): Promise<Uint8Array<ArrayBuffer>> =>
    Promise.resolve(Uint8Array.from(file.subarray(at, (at += bytes))));
  const open = (): Promise<MasterPieces> =>
    Promise.resolve({ first: Uint8Array.from(file.subarray(0, bytes)), next });
  return taken(await accept(order, open, undefined, rangesOf(file)));
}

const accept = (
  order: BuildOrder,
  open: OpenMaster,
  exit?: Exit,
  readRange?: ReadRange,
): Promise<BuildAnswer> =>
  acceptOrder(
    { encoderVersion: ENCODER_VERSION, ...order },
    { space: "a space", open, readRange, readFont },
    exit,
  );

/** The answer without what differs from run to run. */
function taken(answer: BuildAnswer): BuildAnswer {
  delete answer.isolate;
  if (answer.ok) {
    delete answer.ms;
    delete answer.masterMs;
  }
  return answer;
}

/** The same for placeholders. */
export async function takePlaceholder(
  order: PlaceholderOrder,
  master: ReadableStream<Uint8Array>,
  readRange?: ReadRange,
): Promise<PlaceholderAnswer> {
  const answer = await withOpened(master, (open) =>
    acceptPlaceholder(order, { space: "a space", open, readRange, readFont }),
  );
  delete answer.isolate;
  return answer;
}

/** The answer to an order for `ask`, with facts from the probe or `facts`. */
export function order(file: Uint8Array, ask: Ask, facts: MasterFacts = probe(file)): Promise<BuildAnswer> {
  const spec = specFor(facts, ask);
  const order: BuildOrder = { spec, facts, sourceBytes: file.length, peakBytes: 1 };
  if (ask.effort === "quick") order.plan = quickened(planFor(facts, file.length, spec));
  return take(order, streamOf(file), undefined, rangesOf(file));
}

/** The same plan with the quick effort, of a PNG. */
export function quickened(plan: BuildPlan): BuildPlan {
  if (plan.kind !== "still" || plan.encoder.name !== "png-rows") throw new Error("Only PNGs are quickened.");
  return { ...plan, effort: "quick", encoder: { ...plan.encoder, effort: "quick" } };
}

type Answer = Extract<BuildAnswer, { ok: true }>;

/** Asks for all parts of an answer, like the queue. @throws Error when one has another length than it says, or fails */
export async function partsOf(answer: Answer): Promise<{ parts: Buffer[]; facts: BuildFacts }> {
  const parts: Buffer[] = [];
  for (let part: BuiltPart = answer; ;) {
    const bytes = Buffer.from(await new Response(part.body).arrayBuffer());
    if (bytes.length !== part.byteLength) throw new Error(`${bytes.length} bytes of ${part.byteLength}`);
    parts.push(bytes);
    if (part.facts) return { parts, facts: part.facts };
    const next = await answer.rest!.next();
    if (!next.ok) throw new Error(next.reason);
    part = next;
  }
}

/** Collects all parts of a build. `mostBytes` is the largest part of the file that was held at once. */
export async function wholeOf(parts: Parts<Built>): Promise<Built & { mostBytes: number }> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let mostBytes = 0;
  for (;;) {
    const { done, value } = await parts.next();
    pieces.push(...value.pieces);
    mostBytes = Math.max(mostBytes, value.byteLength);
    if (done) return { ...value, ...partOf(pieces), mostBytes };
  }
}

/** Builds a variant. @throws Error when the answer is not one */
export async function build(file: Uint8Array, ask: Ask, facts: MasterFacts = probe(file)): Promise<Variant> {
  const answer = await order(file, ask, facts);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  const { parts, facts: buildFacts } = await partsOf(answer);
  const spec = specFor(facts, ask);
  return {
    bytes: Buffer.concat(parts),
    spec,
    facts: buildFacts,
    masterFacts: facts,
    predictedBytes: planFor(facts, file.length, spec).memory.peak,
  };
}

export async function bitmap(image: Sharp, channels: 3 | 4): Promise<Bitmap> {
  const shaped = image.toColourspace("srgb");
  const { data, info } = await (channels === 4 ? shaped.ensureAlpha() : shaped.removeAlpha())
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
}
