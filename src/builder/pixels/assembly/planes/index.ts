/**
 * The inner loops of a picture that is kept in planes as its rows come, and read back upright
 * (src/builder/pixels/orient-rows.ts has the rest). They work at addresses that they are given and have no data of their
 * own: the memory is also that of the decoder at work.
 */
export { halveRows } from "../shared/ycc";
export { joinRow, splitRow } from "./interleave";
export { readUpright } from "./read-upright";
export { colourRow, restoreRow } from "./colour";
