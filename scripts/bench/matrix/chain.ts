/** Measures the plain jSquash chain on baseline JPEGs of growing size. Each run has its own process, and may fail. */
import type { OutputFormat } from "../../../src/image/model/variant.ts";
import { masterPath, photoMaster, SIZES, type Megapixels } from "../masters.ts";
import { heightAt } from "../../../src/image/geometry/grid.ts";
import { askChain, startChain } from "../chain-process.ts";
import type { ChainResult } from "./results.ts";

const WIDTH = 1000;
const MEGAPIXELS: readonly Megapixels[] = [1, 2, 4, 8, 12, 24, 48, 80];
const FORMATS: readonly OutputFormat[] = ["jpeg", "png", "webp", "avif"];

export async function measureChain(): Promise<ChainResult[]> {
  const results: ChainResult[] = [];
  for (const format of FORMATS) {
    for (const megapixels of MEGAPIXELS) {
      await photoMaster("jpeg", megapixels);
      const [width, height] = SIZES[megapixels];
      const child = startChain();
      const answer = await askChain(child, {
        path: masterPath("jpeg", megapixels),
        from: "jpeg",
        to: format,
        width: WIDTH,
        height: heightAt(WIDTH, { width, height }),
      });
      child.kill();
      const { ms, peakBytes } = "error" in answer ? { ms: null, peakBytes: null } : answer;
      results.push({ megapixels, format, width: WIDTH, peakBytes, ms: ms && Math.round(ms) });
    }
  }
  return results;
}
