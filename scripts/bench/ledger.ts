/**
 * Compares the plan's bytes with the bytes that builds take, over the whole matrix, and prints the worst case of each
 * class. A full run takes an hour. `--master=webp` (a part of the name), `--to=avif`, `--content=noise` and `--most=6`
 * (megapixels of masters) select parts. The lines of each master are printed as soon as they are known.
 */
import { type Content, CONTENTS, type Entry, errorOf, MASTERS, weigh } from "../samples/ledger-matrix.ts";
import { type Quality } from "../../src/image/model/variant.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../../src/image/formats/registry.ts";
import { probe } from "../harness/probe-run.ts";
import { mb, table } from "./figures.ts";

/** Widths and heights of masters: 0.3, 2, 6, 12, 24 and 80 megapixels. */
const SIZES = [
  [640, 480],
  [1632, 1224],
  [2828, 2121],
  [4000, 3000],
  [5656, 4242],
  [10_320, 7740],
] as const;
/** Masters from this size on are only photographs as JPEG and PNG, at two widths. */
const LARGE_PIXELS = 10e6;
const WIDTHS = [64, 236, 500, 1000, 1600, 2560, 4096] as const;
const LARGE_WIDTHS = [1000, 4096] as const;
const QUALITIES: readonly Quality[] = [80, 90, 100];

interface Asked {
  master: string;
  formats: readonly OutputFormat[];
  contents: readonly Content[];
  mostPixels: number;
}

/** @throws Error for an unknown flag */
function askedBy(flags: readonly string[]): Asked {
  const asked: Asked = { master: "", formats: OUTPUT_FORMATS, contents: CONTENTS, mostPixels: Infinity };
  for (const flag of flags) {
    const [name, value = ""] = flag.split("=");
    if (name === "--master") asked.master = value;
    else if (name === "--to") asked.formats = OUTPUT_FORMATS.filter((format) => format === value);
    else if (name === "--content") asked.contents = CONTENTS.filter((content) => content === value);
    else if (name === "--most") asked.mostPixels = Number(value) * 1e6;
    else throw new Error(`unknown: ${flag}`);
  }
  return asked;
}

async function* entriesOf(name: string, asked: Asked): AsyncGenerator<Entry | null> {
  for (const [width, height] of SIZES) {
    if (width * height > asked.mostPixels) continue;
    const isLarge = width * height > LARGE_PIXELS;
    if (isLarge && !/^(jpeg|png)( progressive| alpha)?$/.test(name)) continue;
    for (const content of asked.contents) {
      if (isLarge && content !== "photo") continue;
      const file = await MASTERS[name]!(content, width, height);
      for (const out of isLarge ? LARGE_WIDTHS : WIDTHS) {
        if (out > probe(file).width) continue;
        for (const format of asked.formats) {
          for (const quality of format === "png" ? QUALITIES.slice(0, 1) : QUALITIES) {
            const label = `${width} x ${height} ${content} to ${out}, q ${quality}`;
            yield weigh(label, file, { width: out, format, quality });
          }
        }
      }
    }
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const HEAD = ["master", "to", "builds", "refused", "most over", "", "most under", "", "largest", "file over"];

export async function benchLedger(flags: readonly string[]): Promise<void> {
  const asked = askedBy(flags);
  for (const name of Object.keys(MASTERS).filter((master) => master.includes(asked.master))) {
    const lines = [HEAD];
    const found = new Map<string, { entries: Entry[]; refused: number }>();
    for (const format of asked.formats) found.set(format, { entries: [], refused: 0 });
    let refused = 0;
    for await (const entry of entriesOf(name, asked)) {
      if (entry) found.get(entry.spec.format)?.entries.push(entry);
      else refused++;
    }
    for (const [format, { entries }] of found) {
      const worst = (by: "over" | "under") =>
        entries.reduce<{ share: number; label: string }>(
          (most, entry) => {
            const share = errorOf(entry)[by];
            return share > most.share ? { share, label: entry.label } : most;
          },
          { share: 0, label: "" },
        );
      const [over, under] = [worst("over"), worst("under")];
      const largest = Math.max(0, ...entries.map(({ taken, output }) => taken + output));
      // Files that did not fit the memory kept for them, among them those of pure noise.
      const beyond = entries.filter(({ output, reserved }) => output > reserved).length;
      lines.push([
        ...[name, format, `${entries.length}`, `${refused}`, percent(over.share), over.label],
        ...[percent(under.share), under.label, mb(largest), `${beyond}`],
      ]);
    }
    table(lines);
  }
}
