/**
 * Prints how photographs keep the look that their quality promises (src/builder/look): for each format, width and
 * quality, the share of photographs whose SSIMULACRA 2 is within -1.5 and +2.5 of the promise, the worst ones and the
 * median, with the quantiser fitted to the picture. Files are read by sharp.
 *
 *     node scripts/run.mjs scripts/measure/look.ts FOLDER --out=FILE.jsonl [--usual] [--part=fit|test]
 *         [--formats=jpeg,webp,avif] [--widths=236,500,1000,2560,own]
 *
 * Each measurement is a line of FILE.jsonl. A run goes on where an earlier one stopped; with all of it there, a run
 * prints the table alone. `--usual` measures the usual quantiser too: what the fitted one saves, and the powers of
 * `Fitting` (src/image/formats/encoding.ts), which are the medians of `--part=fit`. The parts are every other
 * photograph in the order of their names: constants come from `fit`, and `test` shows what they are worth elsewhere.
 */
import "../wasm/hooks.ts";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import type { Quality } from "../../src/image/model/variant.ts";
import type { OutputFormat } from "../../src/image/formats/registry.ts";

const { askedOrder, bitmap, build, partsOf, take } = await import("../harness/builds.ts");
const { ssimulacra2 } = await import("../bench/bytes/ssimulacra2.ts");
const { differencesAt } = await import("../../src/builder/look/ssimulacra2.ts");
const { PROMISED_LOOK } = await import("../../src/image/model/promised-look.ts");
const { table } = await import("../bench/figures.ts");
const { probe } = await import("../harness/probe-run.ts");
const { ENCODER_VERSION } = await import("../../src/image/model/variant.ts");
const { fittingOf } = await import("../../src/image/formats/encodings.ts");

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder of photographs.");
const valueOf = (name: string): string | undefined =>
  flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
const out = valueOf("out");
if (out === undefined) throw new Error("Name the file of measurements by --out=FILE.jsonl.");
const formats = (valueOf("formats") ?? "jpeg,webp,avif").split(",") as OutputFormat[];
const widths = (valueOf("widths") ?? "236,500,1000").split(",");
const part = valueOf("part");
const QUALITIES: readonly Quality[] = [80, 90, 95];
const MOST = { below: 1.5, above: 2.5 } as const;
/** The step by which the power of a picture is measured. */
const COARSER = 1.3;

interface Measured {
  name: string;
  width: string;
  format: OutputFormat;
  quality: Quality;
  /** The factor on the steps of the usual quantiser; null where they are fitted to the picture. */
  factor: number | null;
  score: number;
  bytes: number;
  /** The version of the encoders that were measured; left out in lines of scripts before it was noted. */
  encoderVersion?: number;
}

type Key = Omit<Measured, "score" | "bytes">;

/** Returns the key of a measurement. Those of other encoder versions are repeated. */
const keyOf = ({ name, width, format, quality, factor, encoderVersion }: Key): string =>
  [name, width, format, quality, factor, encoderVersion].join("|");

const measured = new Map<string, Measured>();
for (const line of existsSync(out) ? readFileSync(out, "utf8").split("\n") : []) {
  if (line !== "") measured.set(keyOf(JSON.parse(line) as Measured), JSON.parse(line) as Measured);
}

/** Builds a variant: fitted, or with `factor` times the usual steps. */
async function made(
  file: Buffer,
  ask: { format: OutputFormat; width: number; quality: Quality },
  factor: number | null,
): Promise<Buffer> {
  const order = askedOrder(file, ask);
  if (factor !== null && order.plan.kind === "still") {
    delete order.plan.look;
    const { encoder } = order.plan;
    order.plan.encoder = fittingOf(encoder.name)?.scaled(encoder, factor) ?? encoder;
  }
  const answer = await take(order, file);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return Buffer.concat((await partsOf(answer)).parts);
}

const names = readdirSync(folder)
  .filter((one) => /\.(?:jpe?g|png|webp|avif)$/i.test(one))
  .sort()
  .filter((_, i) => part === undefined || i % 2 === (part === "fit" ? 0 : 1));
const wantedOf = (name: string, width: string): Key[] =>
  formats.flatMap((format) =>
    QUALITIES.flatMap((quality) =>
      (flags.includes("--usual") ? [null, 1, COARSER] : [null]).map((factor) => ({
        ...{ name, width, format, quality, factor, encoderVersion: ENCODER_VERSION },
      })),
    ),
  );
for (const width of widths) {
  for (const name of names) {
    const missing = wantedOf(name, width).filter((key) => !measured.has(keyOf(key)));
    if (missing.length === 0) continue;
    const file = readFileSync(join(folder, name));
    const own = probe(file).width;
    const pixels = width === "own" ? own : Number(width);
    if (pixels > own) continue;
    const png = await build(file, { format: "png", width: pixels, effort: "quick" });
    const reference = await bitmap(sharp(png.bytes), 3);
    for (const key of missing) {
      const bytes = await made(file, { ...key, width: pixels }, key.factor);
      const score = await ssimulacra2(reference, await bitmap(sharp(bytes), 3));
      const one = { ...key, score, bytes: bytes.length };
      measured.set(keyOf(key), one);
      appendFileSync(out, `${JSON.stringify(one)}\n`);
    }
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

function summary(of: readonly Measured[]): string {
  if (of.length === 0) return "";
  const offs = of.map(({ score, quality }) => score - (PROMISED_LOOK[quality] ?? 0));
  const within = offs.filter((off) => off >= -MOST.below && off <= MOST.above).length / offs.length;
  const [least, most] = [Math.min(...offs), Math.max(...offs)].map((off) => off.toFixed(1));
  return `${Math.round(100 * within)} %, ${least} to ${most}, ${median(offs).toFixed(1)}`;
}

/** Returns the measurements of all photographs with this factor, in the order of their names. */
const taken = (format: OutputFormat, width: string, quality: Quality, factor: number | null): Measured[] =>
  names
    .map((name) =>
      measured.get(keyOf({ name, width, format, quality, factor, encoderVersion: ENCODER_VERSION })),
    )
    .filter((one) => one !== undefined);

table([
  ["variants", "photographs", "usual: within, worst, median", "fitted: the same", "bytes", "power"],
  ...formats.flatMap((format) =>
    widths.flatMap((width) =>
      QUALITIES.map((quality) => {
        const [fitted, usual, coarser] = [null, 1, COARSER].map((factor) =>
          taken(format, width, quality, factor),
        ) as [Measured[], Measured[], Measured[]];
        const isWhole = usual.length === fitted.length && coarser.length === fitted.length;
        const powers = usual.map(
          ({ score }, i) =>
            Math.log(differencesAt(coarser[i]!.score) / differencesAt(score)) / Math.log(COARSER),
        );
        return [
          `${format} ${width} q ${quality}`,
          fitted.length,
          summary(usual),
          summary(fitted),
          isWhole ? median(fitted.map(({ bytes }, i) => bytes / usual[i]!.bytes)).toFixed(3) : "",
          isWhole ? median(powers).toFixed(2) : "",
        ];
      }),
    ),
  ),
]);
