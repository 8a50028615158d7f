/** Runs builds as the queue orders them, and decodes their output by sharp. */
import { readFile } from "node:fs/promises";
import type { Sharp } from "sharp";
import type { Built } from "../../src/builder/build.ts";
import { BuildMemory } from "../../src/builder/memory/build-memory.ts";
import { WorkMeter } from "../../src/builder/scheduling/work-meter.ts";
import type { BuildContext, ReadFont } from "../../src/builder/streams/build-context.ts";
import { openSource, type Source, watched } from "../../src/builder/streams/source.ts";
import { partOf, type Parts } from "../../src/builder/streams/parts.ts";
import { acceptOrder, acceptPlaceholder, type Exit, type OrderCall } from "../../src/builder/accept-order.ts";
import type {
  BuildAnswer,
  BuildFacts,
  BuildOrder,
  BuiltPart,
  MasterPieces,
  ReadRange,
} from "../../src/image/protocol/build.ts";
import { orderFor } from "../../src/image/protocol/order.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../../src/image/protocol/placeholder.ts";
import { type BuildPlan, rangeBytesOf } from "../../src/image/plan/build-plan.ts";
import { planUnbounded } from "../../src/image/plan/plan.ts";
import { parseRatio } from "../../src/image/geometry/aspect-ratio.ts";
import { cropOf } from "../../src/image/geometry/crop.ts";
import { CENTRE, type FocalPoint } from "../../src/image/geometry/focal-point.ts";
import { heightAt } from "../../src/image/geometry/grid.ts";
import { extrasOf, type ExtrasSettings } from "../../src/image/model/extras.ts";
import type { Effort } from "../../src/image/model/variant.ts";
import type { MasterFacts } from "../../src/image/model/facts.ts";
import { takesQuality, type Quality, type VariantSpec } from "../../src/image/model/variant.ts";
import type { OutputFormat } from "../../src/image/formats/registry.ts";
import { chunksOf, piecesOf, rangesOf } from "./master-streams.ts";
import { probe } from "./probe-run.ts";
import type { Bitmap } from "./ssim.ts";

export { piecesOf, rangesOf, streamOf } from "./master-streams.ts";

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
  /** The settings of the space that extras follow from; by default there are none. */
  settings?: Partial<ExtrasSettings>;
}

const NO_EXTRAS: ExtrasSettings = { metadata: "none", gamut: "srgb" };

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
    ...extrasOf(facts, { ...NO_EXTRAS, ...ask.settings }, { format, width, animated: false }),
  };
}

/** Reads a face of the font where `npm run` has put it. */
export const readFont: ReadFont = async (face) =>
  Uint8Array.from(await readFile(new URL(`../../dist/fonts/${face}.ttf`, import.meta.url)));

/** Returns the plan of a build, without limits. @throws Error when it cannot be built at all */
export function planFor(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): BuildPlan {
  const plan = planUnbounded(facts, sourceBytes, spec);
  if (!plan.ok) throw new Error(plan.reason);
  return plan;
}

/** Returns the context of a build of `file` without an order. The caller closes its source. */
export function contextOf(
  file: Uint8Array,
  {
    facts = probe(file),
    spec = sameAs(facts),
    memory = new BuildMemory(),
    chunkBytes,
  }: {
    facts?: MasterFacts;
    spec?: VariantSpec;
    memory?: BuildMemory;
    /** Smaller chunks than the pieces of a master are. */
    chunkBytes?: number;
  } = {},
): BuildContext<BuildPlan> & { source: Source } {
  const plan = planFor(facts, file.length, spec);
  const options = { readRange: rangesOf(file) };
  const source = chunkBytes
    ? watched(chunksOf(file, chunkBytes), file.length, options)
    : openSource(piecesOf(file), file.length, options);
  return { plan, facts, source, readFont, memory, work: new WorkMeter() };
}

/** Returns a variant with the size of the master, in a format that supports it. */
const sameAs = ({ width, height, animated }: MasterFacts): VariantSpec =>
  animated
    ? { width, height, format: "webp", quality: 80, animated }
    : { width, height, format: "png", quality: null, animated };

/** How a master is handed over, where it is not as the queue does it. */
export interface HandOver {
  exit?: Exit;
  readRange?: ReadRange;
}

/** Orders a build as the queue does: with its plan, and with the master in pieces. @returns the answer without the isolate's name */
export async function take(
  order: BuildOrder,
  master: Uint8Array | MasterPieces,
  { exit, readRange = rangesFor(order, master) }: HandOver = {},
): Promise<BuildAnswer> {
  const answer = await acceptOrder(order, { ...callFor(master), readRange }, exit);
  delete answer.isolate;
  return answer;
}

/** Orders a placeholder in the same way. */
export async function takePlaceholder(
  order: PlaceholderOrder,
  master: Uint8Array | MasterPieces,
): Promise<PlaceholderAnswer> {
  const answer = await acceptPlaceholder(order, {
    ...callFor(master),
    readRange: rangesFor(order, master),
  });
  delete answer.isolate;
  return answer;
}

const callFor = (master: Uint8Array | MasterPieces): OrderCall => ({
  space: "a space",
  open: () => Promise.resolve(master instanceof Uint8Array ? piecesOf(master) : master),
  readFont,
});

/** Ranges of the master where the plan reads parts of it again. */
const rangesFor = (
  { plan }: BuildOrder | PlaceholderOrder,
  master: Uint8Array | MasterPieces,
): ReadRange | undefined =>
  master instanceof Uint8Array && rangeBytesOf(plan) !== null ? rangesOf(master) : undefined;

/** Orders what `ask` says, with facts from the probe or `facts`. */
export const order = (file: Uint8Array, ask: Ask, facts: MasterFacts = probe(file)): Promise<BuildAnswer> =>
  take(askedOrder(file, ask, facts), file);

/** Returns the order for `ask`, as the edge makes it. @throws Error when there is no plan */
export function askedOrder(file: Uint8Array, ask: Ask, facts: MasterFacts = probe(file)): BuildOrder {
  const spec = specFor(facts, ask);
  const plan = planFor(facts, file.length, spec);
  return orderFor(facts, file.length, spec, ask.effort === "quick" ? quickened(plan) : plan);
}

/** Returns the same plan with the quick effort, of a PNG. */
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
