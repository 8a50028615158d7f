/**
 * The time of whole builds from masters in AVIF and lossless WebP, to WebP of 1000 pixels: with our decoder, with jSquash's in
 * its place, and by sharp on one thread. All are processor time of one run, in turns. A quick build is what a visitor waits
 * for; a thorough one also fits the look.
 */
import sharp from "sharp";
import type { Quality } from "../../../src/image/model/variant.ts";
import type { AvifFacts, WebpFacts } from "../../../src/image/model/facts.ts";
import { planBuild } from "../../../src/image/plan/plan.ts";
import { buildVariant } from "../../../src/builder/build.ts";
import { decodeAvif } from "../../../src/builder/codecs/avif/decode.ts";
import { decodeWebp } from "../../../src/builder/codecs/webp/still.ts";
import { Arena } from "../../../src/builder/memory/arena.ts";
import { BuildMemory } from "../../../src/builder/memory/build-memory.ts";
import type { CodecName } from "../../../src/builder/emscripten/symbols.ts";
import { contextOf, specFor, wholeOf } from "../../harness/builds.ts";
import { probe } from "../../harness/probe-run.ts";
import { median, ms, table } from "../figures.ts";
import { cached, drawPhoto, SIZES } from "./photographs.ts";
import { MASTERS } from "./kinds.ts";

const ROUNDS = 5;
const ASK = { format: "webp", width: 1000, quality: 80 as Quality } as const;
/** Enough for jSquash's decoders, which hold whole pictures. */
const ARENA_BYTES = 800_000_000;
const BITS_PER_SAMPLE = 8;

/** The memory of builds. */
const builds = new BuildMemory();

interface Master {
  name: string;
  file: Buffer;
  /** Decodes all rows by our decoder. */
  ours: () => Promise<void>;
  /** jSquash's decoder, and what it is called with beside the file. */
  theirs: CodecName;
  arguments: number[];
}

function masterOf(name: string, file: Buffer): Master {
  const facts = probe(file) as AvifFacts | WebpFacts;
  const memory = new BuildMemory();
  const ours = async (): Promise<void> => {
    const context = contextOf(file, { facts, memory });
    const rows = await (facts.format === "avif" ? decodeAvif(context, facts, 0) : decodeWebp(context, facts));
    while (await rows.next());
    memory.clear();
  };
  return facts.format === "avif"
    ? { name, file, ours, theirs: "avif-decoder", arguments: [BITS_PER_SAMPLE] }
    : { name, file, ours, theirs: "webp-decoder", arguments: [] };
}

const lossless = (name: string, picture: () => Promise<Buffer>): Promise<Buffer> =>
  cached(name, async () => {
    const [width, height] = SIZES[8];
    return sharp(await picture(), { raw: { width, height, channels: 3 } })
      .webp({ lossless: true, effort: 2 })
      .toBuffer();
  });

async function masters(): Promise<Master[]> {
  const kind = (name: string) => MASTERS.find((one) => one.name === name)!;
  const [width, height] = SIZES[8];
  const photo = async (): Promise<Buffer> => (await drawPhoto(width, height)).raw().toBuffer();
  const smooth = async (): Promise<Buffer> =>
    sharp(await photo(), { raw: { width, height, channels: 3 } })
      .blur(2)
      .raw()
      .toBuffer();
  return [
    masterOf("AVIF, photograph, 12 MP", await kind("avif").make(12)),
    masterOf("WebP, lossless drawing with alpha, 8 MP", await kind("webp-lossless").make(8)),
    masterOf(
      "WebP, lossless photograph without grain, 8 MP",
      await lossless("smooth-8.lossless.webp", smooth),
    ),
    masterOf("WebP, lossless photograph with grain, 8 MP", await lossless("grain-8.lossless.webp", photo)),
  ];
}

/** Builds the variant as the queue would order it, with the effort. */
async function built(file: Buffer, effort: "quick" | "thorough"): Promise<void> {
  const facts = probe(file);
  const spec = specFor(facts, ASK);
  const plan = planBuild(facts, file.length, spec, effort === "quick");
  if (!plan.ok) throw new Error(plan.reason);
  const context = { ...contextOf(file, { facts, spec, memory: builds }), plan };
  await wholeOf(buildVariant(context));
  await context.source.close();
  builds.clear();
}

/** Returns the processor time that `work` takes, in milliseconds. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export async function benchMasters(): Promise<void> {
  sharp.concurrency(1);
  sharp.cache(false);
  const arena = new Arena(ARENA_BYTES);
  const rows: string[][] = [
    [
      "master",
      "build",
      "with jSquash's decoder",
      "sharp",
      "of jSquash's",
      "of sharp's",
      "decoding alone, of jSquash's",
    ],
  ];
  for (const master of await masters()) {
    const { name, file, ours, theirs } = master;
    const byTheirs = (): void => {
      const codec = arena.start(theirs);
      const input = codec.malloc(file.length);
      codec.bytes(input).set(file);
      codec.call("decode", input, ...master.arguments);
      arena.reset();
    };
    const bySharp = (): Promise<Buffer> =>
      sharp(file, { limitInputPixels: false }).resize(ASK.width).webp({ quality: ASK.quality }).toBuffer();
    const rounds: Record<"quick" | "thorough" | "ours" | "theirs" | "sharp", number>[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const times = {
        quick: await timeOf(() => built(file, "quick")),
        thorough: await timeOf(() => built(file, "thorough")),
        ours: await timeOf(ours),
        theirs: await timeOf(byTheirs),
        sharp: await timeOf(bySharp),
      };
      // The first round compiles.
      if (round > 0) rounds.push(times);
    }
    const of = (what: (times: (typeof rounds)[number]) => number): number => median(rounds.map(what));
    const bySide = of((times) => times.sharp);
    const decoding = of((times) => times.ours) / of((times) => times.theirs);
    for (const effort of ["quick", "thorough"] as const) {
      const whole = of((times) => times[effort]);
      const replaced = of((times) => times[effort] - times.ours + times.theirs);
      rows.push([
        ...[name, effort, ms(whole), ms(replaced), ms(bySide)],
        ...[whole / replaced, whole / bySide, decoding].map((ratio) => ratio.toFixed(2)),
      ]);
    }
  }
  table(rows);
}
