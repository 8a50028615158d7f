/**
 * Compares the builder's pixel path with sharp on one thread, in this process, and with the plain jSquash chain in
 * another process. They run in turns on one core, so that a slow moment of the machine affects all of them.
 */
import { askChain, startChain } from "./chain-process.ts";
import { atEqualSsim } from "./equal-ssim.ts";
import { mb, median, ms, table } from "./figures.ts";
import { masterPath, photoMaster, type Kind, type Megapixels } from "./masters.ts";
import { onOneCore } from "./one-core.ts";
import { byBuilder, bySharp, newBuildMemory, workOf, type Timed, type Work } from "./pixels-work.ts";
import type { ChainOrder } from "./plain-chain.ts";

interface Line {
  kind: Kind;
  megapixels: Megapixels;
  width: number;
  to: Work["to"];
  /** The highest ratio to sharp's time that is allowed. */
  aim: number;
}

const line = (kind: Kind, megapixels: Megapixels, width: number, to: Work["to"], aim: number): Line => ({
  kind,
  megapixels,
  width,
  to,
  aim,
});

const LINES: Line[] = [
  line("jpeg", 2, 1000, null, 1.0),
  line("jpeg", 12, 1000, null, 1.0),
  line("jpeg", 24, 1000, null, 1.0),
  line("jpeg", 48, 1000, null, 1.0),
  line("jpeg", 80, 1000, null, 1.0),
  line("jpeg", 12, 1000, "webp", 1.0),
  line("jpeg", 80, 1000, "webp", 1.0),
  line("progressive", 80, 1000, null, 0.6),
  line("jpeg", 12, 2560, "jpeg", 1.2),
  line("png", 12, 1000, "webp", 1.3),
  line("jpeg", 12, 1000, "avif", 1.3),
];

/** The number of rounds is chosen so that sharp takes about this time, within bounds. */
const SHARP_MS = 3000;
const ROUNDS_MIN = 5;
const ROUNDS_MAX = 25;
/** Warm-up builds, after which V8 has optimised the modules. */
const WARM_UPS = 3;
/** The chain is measured for information only, so fewer rounds are enough. */
const CHAIN_ROUNDS = 3;

const nameOf = ({ kind, megapixels, width, to }: Line): string => {
  const format = kind === "progressive" ? "progressive JPEG" : kind.toUpperCase();
  return `${format} ${megapixels} MP → ${width}${to ? ` ${to === "webp" ? "WebP" : to.toUpperCase()}` : ""}`;
};

interface Times {
  ours: Timed[];
  sharps: Timed[];
  chains: number[];
  peakBytes: number;
  chainPeakBytes: number;
  chainError: string | null;
}

async function measure(one: Line): Promise<Times> {
  const work = workOf(await photoMaster(one.kind, one.megapixels), one.width, one.to);
  const chain = startChain();
  const order: ChainOrder = {
    path: masterPath(one.kind, one.megapixels),
    from: one.kind === "png" ? "png" : "jpeg",
    to: one.to,
    width: one.width,
    height: Math.round(one.width * 0.75),
  };
  const times: Times = {
    ours: [],
    sharps: [],
    chains: [],
    peakBytes: 0,
    chainPeakBytes: 0,
    chainError: null,
  };
  const shop = newBuildMemory();
  try {
    for (let i = 0; i < WARM_UPS; i++) await byBuilder(shop, work);
    const sharpMs = (await bySharp(work)).ms;
    const rounds = Math.max(ROUNDS_MIN, Math.min(ROUNDS_MAX, Math.round(SHARP_MS / sharpMs)));
    for (let round = 0; round < rounds; round++) {
      const ours = await byBuilder(shop, work);
      times.ours.push(ours);
      times.peakBytes = Math.max(times.peakBytes, ours.peakBytes);
      times.sharps.push(await bySharp(work));
      if (round >= CHAIN_ROUNDS || times.chainError !== null) continue;
      const answer = await askChain(chain, order);
      if ("error" in answer) times.chainError = answer.error;
      else {
        times.chains.push(answer.ms);
        times.chainPeakBytes = answer.peakBytes;
      }
    }
  } finally {
    chain.kill();
  }
  return times;
}

export const benchPixels = (): Promise<void> =>
  onOneCore(async (core) => {
    console.log(
      core === null
        ? "taskset is missing, so sharp decodes in a second thread. Compare processor time.\n"
        : `The builder and sharp share core ${core}.\n`,
    );
    await comparePixels();
  });

async function comparePixels(): Promise<void> {
  const rows = [
    [
      "work",
      "builder",
      "sharp, 1 thread",
      "ratio",
      "of processor time",
      "aim",
      "",
      "plain jSquash",
      "peak, builder",
      "peak, jSquash",
    ],
  ];
  for (const one of LINES) {
    const { ours, sharps, chains, peakBytes, chainPeakBytes, chainError } = await measure(one);
    const ratioOf = (by: keyof Timed): number =>
      median(ours.map((time, round) => time[by] / (sharps[round]?.[by] ?? NaN)));
    const ratio = ratioOf("ms");
    const builderMs = median(ours.map((time) => time.ms));
    rows.push([
      nameOf(one),
      ms(builderMs),
      ms(median(sharps.map((time) => time.ms))),
      ratio.toFixed(2),
      ratioOf("computedMs").toFixed(2),
      `≤ ${one.aim.toFixed(1)}`,
      ratio <= one.aim ? "yes" : "no",
      chainError === null ? `${ms(median(chains))} (${(median(chains) / builderMs).toFixed(1)}×)` : "fails",
      mb(peakBytes),
      chainError === null ? mb(chainPeakBytes) : chainError.slice(0, 40),
    ]);
  }
  table(rows);
  const { ssim, ourBytes, sharpBytes, sharpQuality } = await atEqualSsim(
    workOf(await photoMaster("jpeg", 12), 1000, "avif"),
  );
  console.log(
    `\nAVIF, JPEG 12 MP → 1000 at q 80: ${ourBytes} bytes at SSIM ${ssim.toFixed(4)}; sharp needs ` +
      `${Math.round(sharpBytes)} for that (its q ${sharpQuality}): ratio ${(ourBytes / sharpBytes).toFixed(3)}, aim ≤ 1.05.`,
  );
}
