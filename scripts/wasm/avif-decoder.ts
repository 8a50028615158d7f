/**
 * Stops jSquash's AVIF decoder (libaom) from keeping a record of every symbol that it reads.
 *
 * Its libaom is built with CONFIG_ACCOUNTING, an aid for those who study streams: 16 bytes for each run of symbols,
 * in a list that doubles when it is full. A picture of 1 megapixel full of noise took 270 MB for it. Nobody reads it.
 */
import { type Change, changed } from "./changes.ts";

/** The field of libaom's AV1Decoder as a store instruction addresses it (LEB128). */
const ACCT_ENABLED = [0xbc, 0x90, 0x13];
const I32_CONST = 0x41;
const I32_STORE = [0x36, 0x02];

const CHANGES: readonly Change[] = [
  {
    what: "av1_decoder_create: no record of symbols",
    from: [I32_CONST, 1, ...I32_STORE, ...ACCT_ENABLED],
    to: [I32_CONST, 0, ...I32_STORE, ...ACCT_ENABLED],
  },
];

/** @throws Error when the module is not the one that this change was made for */
export const settleAvifDecoder = (binary: Uint8Array): Uint8Array => changed(binary, CHANGES);
