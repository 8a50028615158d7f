/** The change of the quantiser index, which the first block of a superblock says (AV1 specification section 5.11.35). */
import { index, setQuantiser } from "../block/quantiser";
import { cdfs } from "../coder/cdfs";
import { putBits, putSymbol } from "../coder/range-coder";
import { DELTA_Q } from "../tables/cdf-layout";
import { DELTA_RESOLUTION } from "./activity";

/** DELTA_Q_SMALL: from here on, the size of a change follows its symbol. */
const SMALL: i32 = 3;

let delta = 0;
let isDue = false;

/** Changes the index to `wanted`, or as close to it as whole units lead. */
export function changeIndex(wanted: i32): void {
  delta = (wanted - index) / (1 << DELTA_RESOLUTION);
  isDue = true;
  setQuantiser(index + (delta << DELTA_RESOLUTION));
}

/** Takes the change back, which cannot be said. */
export function cancelIndexChange(): void {
  isDue = false;
  setQuantiser(index - (delta << DELTA_RESOLUTION));
}

/** Codes the change unless a block of the superblock did. */
export function putIndexChange(): void {
  if (!isDue) return;
  isDue = false;
  const size = abs(delta);
  putSymbol(cdfs + DELTA_Q, min(size, SMALL), SMALL + 1);
  if (size >= SMALL) {
    const bits = 31 - clz<i32>(size - 1);
    putBits(bits - 1, 3);
    putBits(size - 1, bits);
  }
  if (size > 0) putBits(i32(delta < 0), 1);
}
