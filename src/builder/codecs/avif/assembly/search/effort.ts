/** How hard the encoder looks for the fewest bytes. */
import { lambda } from "../block/quantiser";
import { BIT } from "../coder/bit-cost";
import { isDrawing } from "../palette/tools";

/** The least cost of a sample of grain, its error included, in bits. No way to divide a block codes grain in fewer. */
const GRAIN_BITS: f32 = 1.6;

/** Returns whether a block of 1 << log2 samples shows grain, by what it costs so far. */
@inline
export function isGrain(cost: f32, log2: i32): boolean {
  return !isDrawing && cost > lambda * <f32>BIT * GRAIN_BITS * <f32>(1 << log2);
}

/** Whether somebody waits for the picture, so that it is coded by guesses (quick.ts). Not of drawings. */
export let isQuick = false;

export function setQuick(quick: boolean): void {
  isQuick = quick;
}
