/** SSIMULACRA 2 of two pictures: 100 for equal ones, 90 visually lossless, 70 high quality, 50 medium. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import init, { calc_s2, new_buffer, remove_buffer, type InitOutput } from "calc-s2-rust/calc_s2_rust.js";
import type { Bitmap } from "../../harness/ssim.ts";

const MODULE = fileURLToPath(import.meta.resolve("calc-s2-rust/calc_s2_rust_bg.wasm"));
let loading: Promise<InitOutput> | null = null;

/** Runs `run` without the console, to which the metric prints its progress. */
function quietly<T>(run: () => T): T {
  const { log } = console;
  console.log = () => undefined;
  try {
    return run();
  } finally {
    console.log = log;
  }
}

/** @param a, b RGB of the same size, at least 8 pixels on each side */
export async function ssimulacra2(a: Bitmap, b: Bitmap): Promise<number> {
  loading ??= init(readFileSync(MODULE));
  const { memory } = await loading;
  return quietly(() => {
    for (const [key, { data }] of [["a", a] as const, ["b", b] as const]) {
      const at = new_buffer(key, data.length);
      new Uint8Array(memory.buffer, at, data.length).set(data);
    }
    const score = calc_s2("a", "b", a.width, a.height);
    remove_buffer("a");
    remove_buffer("b");
    return score;
  });
}
