/**
 * Measures PNG: our encoder's file of a variant's pixels against the smallest file of sharp, in bytes and in processor
 * time.
 */
import sharp from "sharp";
import { encodePng } from "../../../src/builder/codecs/png/encoder.ts";
import type { PngEffort } from "../../../src/image/formats/png/encoder-options.ts";
import { build } from "../../harness/builds.ts";
import { type Picture, rowsOf, workspaceIn } from "../../harness/png-rows.ts";
import { median } from "../figures.ts";
import type { Master } from "./pictures.ts";

const RUNS = 5;
const BATCH_ROWS = 64;
const MOST_PALETTE_COLOURS = 256;
const EFFORTS: readonly PngEffort[] = ["thorough", "quick"];
const LAYOUTS = { 1: "gray", 2: "gray-alpha", 3: "rgb", 4: "rgba" } as const;

export interface MeasuredPng {
  kind: Master["kind"];
  name: string;
  width: number;
  effort: PngEffort;
  /** Our bytes and processor time divided by those of sharp's smallest file. */
  bytes: number;
  time: number;
}

type Way = () => Promise<Uint8Array>;

/** Measures processor time in milliseconds, of all threads. */
async function processorTime(way: Way): Promise<number> {
  const before = process.cpuUsage();
  await way();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns whether a palette holds every colour. */
function fitsPalette({ data, width, height }: Picture): boolean {
  const channels = data.length / (width * height);
  const colours = new Set<string>();
  for (let at = 0; at < data.length && colours.size <= MOST_PALETTE_COLOURS; at += channels) {
    colours.add(data.subarray(at, at + channels).join());
  }
  return colours.size <= MOST_PALETTE_COLOURS;
}

/** Returns the lossless ways that sharp offers: no filter, filters by row, and a palette if it holds all colours. */
function peerWays(picture: Picture, channels: 1 | 2 | 3 | 4): Way[] {
  const raw = { width: picture.width, height: picture.height, channels };
  const options = [{}, { adaptiveFiltering: true }, ...(fitsPalette(picture) ? [{ palette: true }] : [])];
  return options.map(
    (option) => () =>
      sharp(picture.data, { raw })
        .png({ compressionLevel: 9, ...option })
        .toBuffer(),
  );
}

async function encode(picture: Picture, effort: PngEffort): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodePng(workspaceIn(), rowsOf(picture, BATCH_ROWS), effort)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @throws Error when a file of ours has other pixels */
async function check(picture: Picture, channels: number, file: Uint8Array): Promise<void> {
  const shown = sharp(file);
  const pipeline = channels < 3 ? shown.toColourspace("b-w") : shown;
  const { data, info } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  const isSame = info.channels === channels && Buffer.compare(data, picture.data) === 0;
  if (!isSame) throw new Error(`A PNG of ${picture.width} x ${picture.height} has other pixels`);
}

export async function measurePng(master: Master, width: number): Promise<MeasuredPng[]> {
  const variant = await build(master.file, { width, format: "png" });
  const { data, info } = await sharp(variant.bytes).raw().toBuffer({ resolveWithObject: true });
  const { channels } = info;
  const picture: Picture = { width: info.width, height: info.height, layout: LAYOUTS[channels], data };
  const peers = await Promise.all(
    peerWays(picture, channels).map(async (way) => ({ way, bytes: (await way()).length })),
  );
  const best = peers.reduce((least, peer) => (peer.bytes < least.bytes ? peer : least));
  const times = { peer: [] as number[], thorough: [] as number[], quick: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    times.peer.push(await processorTime(best.way));
    for (const effort of EFFORTS) times[effort].push(await processorTime(() => encode(picture, effort)));
  }
  const results: MeasuredPng[] = [];
  for (const effort of EFFORTS) {
    const file = await encode(picture, effort);
    await check(picture, channels, file);
    const time = median(times[effort]) / median(times.peer);
    results.push({
      kind: master.kind,
      name: master.name,
      width,
      effort,
      bytes: file.length / best.bytes,
      time,
    });
  }
  return results;
}

const HEAD = ["format", "kind", "width", "effort", "bytes", "worst", "time", "pictures"];

/** Returns medians over the pictures of a kind and width; below 1, ours is less. */
export function pngSummary(results: readonly MeasuredPng[]): (string | number)[][] {
  const groups = new Map<string, MeasuredPng[]>();
  for (const result of results) {
    const key = `${result.kind} ${result.width} ${result.effort}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const rows = [...groups.values()].map((group) => {
    const { kind, width, effort } = group[0]!;
    const bytes = group.map((one) => one.bytes);
    const time = median(group.map((one) => one.time));
    const figures = [median(bytes), Math.max(...bytes), time].map((figure) => figure.toFixed(3));
    return ["png", kind, width, effort, ...figures, group.length];
  });
  return [HEAD, ...rows];
}
