/**
 * Bytes at equal look: our variants against sharp's and plain jSquash's, by SSIMULACRA 2, with DSSIM for a second
 * opinion. It takes hours over everything; flags ask for parts:
 *
 *     --photos=FOLDER      photographs, else those of the folder that BENCH_PHOTOS names
 *     --kinds=photograph,drawing,screenshot,portrait,text,gradient,noise,alpha
 *     --formats=jpeg,webp,avif    --qualities=80,90,95,100    --widths=236,500,1000,2560,own
 *     --out=FILE.json      keeps what was measured, and draws its chart beside it: FILE-light.svg and FILE-dark.svg
 *
 * `own` is the master's own width, for photographs that are small. A master is never enlarged.
 */
import { writeFileSync } from "node:fs";
import { QUALITIES, type Quality } from "../../src/image/model/variant.ts";
import { probe } from "../harness/probe-run.ts";
import { drawBytesChart } from "./bytes/chart.ts";
import { measure, type Measured } from "./bytes/measure.ts";
import { type LossyFormat, PEERS } from "./bytes/peers.ts";
import { type Kind, KINDS, masters } from "./bytes/pictures.ts";
import { summary } from "./bytes/summary.ts";
import { table } from "./figures.ts";

const WIDTHS = ["236", "500", "1000", "2560"];

/** What a flag names. @throws Error when it names something else */
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

/** Widths in pixels that a master of `own` pixels has. */
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

export async function benchBytes(flags: readonly string[]): Promise<void> {
  const kinds: readonly Kind[] = choice(flags, "kinds", KINDS);
  const formats = choice(flags, "formats", Object.keys(PEERS) as LossyFormat[]);
  const widths = choice(flags, "widths", [...WIDTHS, "own"], WIDTHS);
  const qualities = choice(flags, "qualities", QUALITIES.map(String)).map((one) => Number(one) as Quality);
  const results: Measured[] = [];
  for await (const master of masters(kinds, text(flags, "photos") ?? process.env["BENCH_PHOTOS"])) {
    for (const width of widthsOf(widths, probe(master.file).width)) {
      for (const format of formats) {
        const measured = await measure(master, { width, format, qualities });
        console.log(line(measured));
        results.push(measured);
      }
    }
  }
  console.log("\nOur bytes by the peer's at the same look, medians and worst cases:\n");
  table(summary(results));
  const out = text(flags, "out");
  if (out === undefined) return;
  writeFileSync(out, JSON.stringify(results));
  for (const mode of ["light", "dark"] as const) {
    writeFileSync(out.replace(/\.json$/, `-${mode}.svg`), drawBytesChart(results, mode));
  }
}
