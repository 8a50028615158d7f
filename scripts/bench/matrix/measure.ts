/**
 * Measures one cell of the matrix: plans it, builds it, times it beside sharp, and compares its pixels with sharp's.
 */
import sharp from "sharp";
import type { BuildMemory } from "../../../src/builder/memory/build-memory.ts";
import { codecPath } from "../../../src/image/plan/choose-encoder.ts";
import { outputBytes } from "../../../src/image/plan/cost-encode.ts";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import { planBuild } from "../../../src/image/plan/plan.ts";
import { bitmap, specFor } from "../../harness/builds.ts";
import { psnr, type Bitmap } from "../../harness/ssim.ts";
import { median } from "../figures.ts";
import { byBuilder, bySharp, type Done, type Timed, type Work } from "../pixels-work.ts";
import { pixelsOf, type Built, type Cell, type Result } from "./cells.ts";

/** A cell is built repeatedly until this time is spent on it, or this number of builds is reached. */
const SPENT_MS = 1500;
const ROUNDS_MAX = 3;
/** sharp's AVIF takes about 4 s per megapixel with one thread, so sharp is not measured above this size. */
const SHARP_AVIF_MAX_PIXELS = 1_000_000;

const GROUND = "#fff";

export interface Master {
  file: Buffer;
  facts: MasterFacts;
}

/** sharp's resize of one master to one width. Variants of every format are compared with it. */
export class References {
  readonly #master: Master;
  readonly #made = new Map<number, Promise<Bitmap>>();

  constructor(master: Master) {
    this.#master = master;
  }

  at(width: number, height: number): Promise<Bitmap> {
    const known = this.#made.get(width);
    if (known) return known;
    // One at a time, because they are large.
    this.#made.clear();
    const made = bitmap(
      sharp(this.#master.file, { limitInputPixels: false })
        .autoOrient()
        .resize(width, height, { fit: "fill" })
        .flatten({ background: GROUND }),
      3,
    );
    this.#made.set(width, made);
    return made;
  }
}

const shown = (file: Buffer): Promise<Bitmap> =>
  bitmap(sharp(file, { limitInputPixels: false }).flatten({ background: GROUND }), 3);

const isAskedOfSharp = (cell: Cell): boolean =>
  cell.format !== "avif" || pixelsOf(cell) <= SHARP_AVIF_MAX_PIXELS;

export async function measure(
  shop: BuildMemory,
  cell: Cell,
  master: Master,
  references: References,
): Promise<Result> {
  const { file, facts } = master;
  const spec = specFor(facts, { width: Math.min(cell.width, facts.width), format: cell.format });
  const plan = planBuild(facts, file.length, spec);
  const work: Work = { file, width: spec.width, to: cell.format, order: { spec, facts } };
  if (!plan.ok) {
    const predictedBytes = plan.peakBytes ?? null;
    const forced = predictedBytes === null ? null : await force(shop, work);
    return { ...cell, outcome: plan.refusal, reason: plan.reason, predictedBytes, forced };
  }
  let first: Done;
  try {
    first = await byBuilder(shop, work);
  } catch (error) {
    return { ...cell, outcome: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
  const { ms, toSharp } = await timed(shop, work, first, isAskedOfSharp(cell));
  const likeness = psnr(await shown(first.bytes), await references.at(spec.width, spec.height));
  const built: Built = {
    outcome: "built",
    widthPixels: spec.width,
    heightPixels: spec.height,
    bytes: first.bytes.length,
    ms: Number(ms.toPrecision(3)),
    toSharp: toSharp && Number(toSharp.toPrecision(3)),
    predictedBytes: plan.memory.peak,
    unforeseenBytes: unforeseenBytes(work, first.heldBytes),
    peakBytes: first.peakBytes,
    psnr: Number.isFinite(likeness) ? Number(likeness.toFixed(2)) : null,
  };
  return { ...cell, ...built };
}

function unforeseenBytes({ file, order: { facts, spec } }: Work, heldBytes: number): number {
  const { encoder } = codecPath(facts, file.length, spec);
  return Math.max(0, heldBytes - outputBytes(facts, spec, encoder));
}

async function force(shop: BuildMemory, work: Work): Promise<"built" | "failed"> {
  try {
    await byBuilder(shop, work);
    return "built";
  } catch {
    return "failed";
  }
}

/**
 * Times the builder, which has built `first`, and sharp in turns, so that a slow moment of the machine affects both.
 */
async function timed(
  shop: BuildMemory,
  work: Work,
  first: Timed,
  askSharp: boolean,
): Promise<{ ms: number; toSharp: number | null }> {
  const ours: Timed[] = [];
  const ratios: number[] = [];
  let spent = 0;
  for (let run = first; ; run = await byBuilder(shop, work)) {
    ours.push(run);
    spent += run.ms;
    if (askSharp) {
      const theirs = await bySharp(work);
      ratios.push(run.computedMs / theirs.computedMs);
      spent += theirs.ms;
    }
    if (ours.length === ROUNDS_MAX || spent > SPENT_MS) break;
  }
  return { ms: median(ours.map(({ ms }) => ms)), toSharp: askSharp ? median(ratios) : null };
}
