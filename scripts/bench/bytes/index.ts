/**
 * Compares the bytes of our variants with those of sharp and of plain jSquash at equal quality by SSIMULACRA 2. Second
 * measures are DSSIM and, where Debian's libjxl-devtools is installed, the 3-norm of Butteraugli. A full run takes
 * hours. Flags select parts:
 *
 *     --photos=FOLDER      a folder of photographs; the default is the folder that BENCH_PHOTOS names
 *     --kinds=photograph,drawing,screenshot,portrait,text,gradient,noise,alpha
 *     --formats=jpeg,webp,avif,png    --qualities=80,90,95,100    --widths=236,500,1000,2560,own
 *     --peers="sharp mozjpeg,sharp WebP 6"    the default is all that bytes/peers.ts knows
 *     --out=FILE.json      stores the measurements, draws their chart into FILE-light.svg and FILE-dark.svg, and shows it
 *
 * PNG, which has no loss, is compared with the smallest file that sharp makes of the same pixels: bytes and processor
 * time of both of our efforts.
 *
 * The time is the processor time of all threads at equal SSIMULACRA 2. Ours includes the decoding of a PNG of the
 * variant's size, the others' does not: for JPEG and WebP see `npm run bench page`. JPEG XL is measured beside AVIF
 * where cjxl and djxl are installed.
 *
 * `own` is the width of the master, for small photographs. Masters are never enlarged.
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { QUALITIES, type Quality } from "../../../src/image/model/variant.ts";
import { probe } from "../../harness/probe-run.ts";
import { drawBytesChart } from "./chart.ts";
import { measure, type Measured } from "./measure.ts";
import { type LossyFormat, PEERS } from "./peers.ts";
import { type MeasuredPng, measurePng, pngSummary } from "./png.ts";
import { type Kind, KINDS, masters } from "./pictures.ts";
import { summary } from "./summary.ts";
import { table } from "../figures.ts";

const WIDTHS = ["236", "500", "1000", "2560"];

/** Returns the values that a flag names. @throws Error for an unknown value */
function choice<T extends string>(
  flags: readonly string[],
  name: string,
  known: readonly T[],
  usual = known,
): readonly T[] {
  const asked = flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (asked === undefined) return usual;
  return asked.split(",").map((one) => {
    const found = known.find((other) => other === one);
    if (found === undefined) throw new Error(`--${name} knows ${known.join(", ")}, not ${one}`);
    return found;
  });
}

const text = (flags: readonly string[], name: string): string | undefined =>
  flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Returns the widths in pixels that a master `own` pixels wide is measured at. */
const widthsOf = (asked: readonly string[], own: number): number[] => [
  ...new Set(asked.map((width) => (width === "own" ? own : Number(width))).filter((width) => width <= own)),
];

function line({ format, name, width, ours }: Measured): string {
  const each = ours.map(({ quality, score, against }) => {
    const ratios = Object.values(against).map(({ bySsimulacra2 }) => bySsimulacra2?.toFixed(3) ?? "beyond");
    return `q ${quality}: ${score.toFixed(1)}, ${ratios.join(" ")}`;
  });
  return `${format} ${name} ${width}: ${each.join("; ")}`;
}

/** Returns the chart of `out` as a page in this folder shows it. */
function chartElement(out: string): string {
  const name = relative(import.meta.dirname, out).replace(/\.json$/, "");
  const dark = `<source media="(prefers-color-scheme: dark)" srcset="${name}-dark.svg" />`;
  const light = `<img src="${name}-light.svg" alt="SSIMULACRA 2 against bits per pixel, ours and other encoders" />`;
  return `<picture>\n  ${dark}\n  ${light}\n</picture>`;
}

export async function benchBytes(flags: readonly string[]): Promise<void> {
  const kinds: readonly Kind[] = choice(flags, "kinds", KINDS);
  const formats = choice(flags, "formats", [...(Object.keys(PEERS) as LossyFormat[]), "png"]);
  const widths = choice(flags, "widths", [...WIDTHS, "own"], WIDTHS);
  const qualities = choice(flags, "qualities", QUALITIES.map(String)).map((one) => Number(one) as Quality);
  const peers = text(flags, "peers")?.split(",") ?? null;
  const results: Measured[] = [];
  const pngs: MeasuredPng[] = [];
  for await (const master of masters(kinds, text(flags, "photos") ?? process.env["BENCH_PHOTOS"])) {
    for (const width of widthsOf(widths, probe(master.file).width)) {
      for (const format of formats) {
        if (format === "png") {
          pngs.push(...(await measurePng(master, width)));
          continue;
        }
        const measured = await measure(master, { width, format, qualities, peers });
        console.log(line(measured));
        results.push(measured);
      }
    }
  }
  if (results.length > 0) {
    console.log("\nOur bytes and time divided by the peer's at the same quality, medians and worst cases:\n");
    table(summary(results));
  }
  if (pngs.length > 0) {
    console.log("\nOur bytes and time divided by those of sharp's smallest PNG:\n");
    table(pngSummary(pngs));
  }
  const out = text(flags, "out");
  if (out === undefined) return;
  writeFileSync(out, JSON.stringify(results));
  for (const mode of ["light", "dark"] as const) {
    writeFileSync(out.replace(/\.json$/, `-${mode}.svg`), drawBytesChart(results, mode));
  }
  console.log(`\n${chartElement(out)}`);
}
