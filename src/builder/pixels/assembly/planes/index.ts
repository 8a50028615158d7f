/**
 * The inner loops of src/builder/pixels/orient-rows.ts, which writes stored rows to planes and reads upright rows back.
 * They work on addresses that they are given and have no data of their own, because the decoder that runs at the same
 * time uses the same memory.
 */
export { halveRows } from "../shared/ycc";
export { joinRow, splitRow } from "./interleave";
export { readUpright } from "./read-upright";
export { colourRow, restoreRow } from "./colour";
