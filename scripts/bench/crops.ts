/**
 * Compares cropped variants with uncropped ones of the same number of pixels, master and format. They are built in
 * turns, so that a slow moment of the machine affects both. Cropping must cost neither more memory nor more time.
 * Memory grows with the length of a row, so a wide crop may take slightly more than an uncropped variant of as many
 * pixels.
 */
import type { FocalPoint } from "../../src/image/geometry/focal-point.ts";
import type { OutputFormat } from "../../src/image/model/variant.ts";
import { specFor } from "../harness/builds.ts";
import { mb, median, ms, table } from "./figures.ts";
import { photoMaster, type Kind, type Megapixels } from "./masters.ts";
import { onOneCore } from "./one-core.ts";
import { byBuilder, newBuildMemory, type Done, workOf, type Work } from "./pixels-work.ts";

interface Line {
  kind: Kind;
  megapixels: Megapixels;
  ratio: string;
  focalPoint: FocalPoint;
  to: OutputFormat;
}

/** Focal points in percent: the first and the last rows or columns, and the middle. */
const START = { x: 0, y: 0 };
const MIDDLE = { x: 50, y: 50 };
const END = { x: 100, y: 100 };
const PLACE_NAMES = new Map([
  [START, "start"],
  [MIDDLE, "middle"],
  [END, "end"],
]);

const line = (
  kind: Kind,
  megapixels: Megapixels,
  ratio: string,
  focalPoint: FocalPoint,
  to: OutputFormat,
): Line => ({ kind, megapixels, ratio, focalPoint, to });

const LINES: Line[] = [
  line("jpeg", 12, "1:1", MIDDLE, "webp"),
  line("jpeg", 12, "16:9", START, "webp"),
  line("jpeg", 12, "16:9", END, "webp"),
  line("jpeg", 12, "9:16", END, "avif"),
  line("jpeg", 12, "1:1", MIDDLE, "jpeg"),
  line("jpeg", 80, "2:1", MIDDLE, "webp"),
  line("progressive", 12, "1:1", MIDDLE, "webp"),
  line("png", 12, "1:1", END, "webp"),
  line("png", 12, "16:9", START, "png"),
];

const CROP_WIDTH = 1000;
const ROUNDS = 7;
/** Warm-up builds, after which V8 has optimised the modules. */
const WARM_UPS = 2;
/** Allows for the difference between two runs of one build, and for the longer rows of a wide crop. */
const TOLERANCE = 0.05;

/** The same build without the crop, at the width with the same number of pixels. */
function uncropped(work: Work): Work {
  const { facts, spec } = work.order;
  const width = Math.round(Math.sqrt((spec.width * spec.height * facts.width) / facts.height));
  return workOf(work.file, width, work.to);
}

function cropped(file: Buffer, { ratio, focalPoint, to }: Line): Work {
  const whole = workOf(file, CROP_WIDTH, to);
  const spec = specFor(whole.order.facts, { width: CROP_WIDTH, format: to, ratio, focalPoint });
  return { ...whole, order: { ...whole.order, spec } };
}

const sizeOf = ({ order: { spec } }: Work): string => `${spec.width} × ${spec.height}`;

async function rowOf(one: Line): Promise<string[]> {
  const crop = cropped(await photoMaster(one.kind, one.megapixels), one);
  const whole = uncropped(crop);
  const memory = newBuildMemory();
  for (let i = 0; i < WARM_UPS; i++) for (const work of [crop, whole]) await byBuilder(memory, work);
  const rounds: [crop: Done, whole: Done][] = [];
  for (let i = 0; i < ROUNDS; i++)
    rounds.push([await byBuilder(memory, crop), await byBuilder(memory, whole)]);
  const ratioOf = (by: "ms" | "computedMs"): number => median(rounds.map(([a, b]) => a[by] / b[by]));
  const peakOf = (side: 0 | 1): number => Math.max(...rounds.map((round) => round[side].peakBytes));
  const memoryRatio = peakOf(0) / peakOf(1);
  const holds = Math.max(ratioOf("computedMs"), memoryRatio) <= 1 + TOLERANCE;
  return [
    `${one.kind} ${one.megapixels} MP → ${one.ratio} ${one.to}, ${PLACE_NAMES.get(one.focalPoint) ?? ""}`,
    sizeOf(crop),
    sizeOf(whole),
    ms(median(rounds.map(([done]) => done.ms))),
    ms(median(rounds.map(([, done]) => done.ms))),
    ratioOf("ms").toFixed(2),
    ratioOf("computedMs").toFixed(2),
    mb(peakOf(0)),
    mb(peakOf(1)),
    memoryRatio.toFixed(2),
    holds ? "yes" : "no",
  ];
}

export const benchCrops = (): Promise<void> =>
  onOneCore(async () => {
    const columns = [
      "cropped",
      "uncropped",
      "time",
      "uncropped",
      "ratio",
      "of processor time",
      "peak",
      "uncropped",
      "ratio",
    ];
    const rows = [["work", ...columns, "at or below"]];
    for (const one of LINES) rows.push(await rowOf(one));
    table(rows);
  });
