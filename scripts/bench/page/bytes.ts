/** The page's comparison of bytes: photographs at two widths, each peer at the same score by SSIMULACRA 2. */
import { drawBytesChart } from "../bytes/chart.ts";
import { measure, type Measured } from "../bytes/measure.ts";
import type { LossyFormat } from "../bytes/peers.ts";
import { masters } from "../bytes/pictures.ts";
import { overall } from "../bytes/summary.ts";
import { tableText } from "../figures.ts";
import { probe } from "../../harness/probe-run.ts";
import type { Part } from "./index.ts";

/** The encoders of the page, by format, and their origin: jSquash is each of the first three in WebAssembly. */
export const PAGE_PEERS: Record<LossyFormat, Record<string, string>> = {
  jpeg: { "sharp mozjpeg": "mozjpeg (sharp)", jSquash: "mozjpeg (jSquash)" },
  webp: { "sharp WebP 6": "libwebp, effort 6 (sharp)", jSquash: "libwebp (jSquash)" },
  avif: { "sharp AVIF 4": "libaom, effort 4 (sharp)", jSquash: "libaom (jSquash)" },
};
const FORMATS = Object.keys(PAGE_PEERS) as LossyFormat[];
const WIDTHS = [500, 1000];
const QUALITIES = [80, 90, 95] as const;

interface Wanted {
  photos: string | undefined;
  most: number;
  isShort: boolean;
}

/** @throws Error without photographs */
export async function bytesPart({ photos, most, isShort }: Wanted): Promise<Part> {
  if (photos === undefined) throw new Error("bench page: name a folder of photographs by --photos=FOLDER");
  const results: Measured[] = [];
  let count = 0;
  for await (const master of masters(["photograph"], photos)) {
    if (count++ === most) break;
    const own = probe(master.file).width;
    for (const width of isShort ? [236] : WIDTHS.filter((one) => one <= own)) {
      for (const format of FORMATS) {
        const peers = Object.keys(PAGE_PEERS[format]);
        results.push(await measure(master, { width, format, qualities: isShort ? [80] : QUALITIES, peers }));
      }
    }
    console.error(`measured: ${master.name}`);
  }
  if (results.length === 0) throw new Error(`bench page: no photograph in ${photos}`);
  return {
    text: tableText(overall(results, (format, peer) => PAGE_PEERS[format][peer] ?? peer)),
    alt: "SSIMULACRA 2 against bits per pixel, ours and other encoders",
    chart: { light: drawBytesChart(results, "light"), dark: drawBytesChart(results, "dark") },
  };
}
