/**
 * Prints the arena that libaom takes for AVIF masters of one item, beside the estimate of the plan, and the bytes that
 * the estimate lacks. `src/image/formats/avif/decoder-memory.ts` has its figures from it. It needs avifenc.
 *
 *     node --import ./scripts/wasm/hooks.ts scripts/measure/avif-decoder-memory.ts [MEGAPIXELS...]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { decodeLibaom } from "../../src/builder/codecs/avif/libaom.ts";
import { BuildMemory } from "../../src/builder/memory/build-memory.ts";
import { avifFallbackBytes } from "../../src/image/formats/avif/decoder-memory.ts";
import type { AvifFacts } from "../../src/image/model/facts.ts";
import { contextOf } from "../harness/builds.ts";
import { probe } from "../harness/probe-run.ts";

const ARENA_MAX_BYTES = 400e6;
const RATIOS = [
  [4, 3],
  [3, 4],
  [16, 9],
] as const;

const asked = process.argv.slice(2).map(Number);
const megapixels = asked.length > 0 ? asked : [1, 3, 4, 5, 6];
const folder = mkdtempSync(join(tmpdir(), "avif-memory-"));

async function measure(
  [width, height]: readonly [number, number],
  yuv: string,
  depth: number,
  hasAlpha: boolean,
  speed: number,
): Promise<void> {
  const png = join(folder, "picture.png");
  const avif = join(folder, "picture.avif");
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  let picture = sharp({ create: { width, height, channels: 3, background: "#888", noise } }).blur(1.5);
  if (hasAlpha)
    picture = picture.joinChannel(await mask(width, height), { raw: { width, height, channels: 1 } });
  await picture.png({ compressionLevel: 1 }).toFile(png);
  const options = ["-y", yuv, "-d", `${depth}`, "-s", `${speed}`, "--min", "10", "--max", "30", "-j", "2"];
  execFileSync("avifenc", [...options, png, avif], { stdio: "ignore" });
  const file = readFileSync(avif);
  const facts = probe(file) as AvifFacts;
  const memory = new BuildMemory(ARENA_MAX_BYTES);
  await decodeLibaom(contextOf(file, { facts, memory }), facts);
  const taken = memory.arena.takePeak();
  const planned = avifFallbackBytes(facts, file.length);
  const lacks = (100 * (taken / planned - 1)).toFixed(2);
  const what = `${width}x${height} ${yuv} ${depth} bit${hasAlpha ? " alpha" : ""} speed ${speed}${facts.restorable ? " restorable" : ""}`;
  console.log(
    `${what}: file ${file.length}, takes ${taken}, planned ${Math.ceil(planned)}, lacks ${lacks} %`,
  );
}

const mask = async (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#fff",
      noise: { type: "gaussian", mean: 200, sigma: 40 },
    },
  })
    .extractChannel(0)
    .raw()
    .toBuffer();

try {
  for (const mega of megapixels) {
    for (const [across, down] of RATIOS.slice(0, asked.length > 0 ? 1 : undefined)) {
      const scale = Math.sqrt((mega * 1e6) / (across * down));
      const size = [Math.round(scale * across), Math.round(scale * down)] as const;
      for (const [yuv, depth, hasAlpha, speed] of [
        ["420", 8, false, 9],
        ["420", 8, false, 6],
        ["420", 8, true, 9],
        ["444", 8, false, 9],
        ["444", 8, true, 9],
        ["420", 10, false, 9],
        ["420", 10, true, 9],
        ["444", 10, false, 9],
        ["444", 10, true, 9],
        ["422", 8, false, 9],
        ["400", 8, false, 9],
      ] as const) {
        await measure(size, yuv, depth, hasAlpha, speed);
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
