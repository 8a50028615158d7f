/**
 * Stops jSquash's AVIF decoder (libaom) from recording every symbol that it reads.
 *
 * Its libaom is built with CONFIG_ACCOUNTING, a tool for the analysis of streams. It takes 16 bytes per run of symbols,
 * in a list that doubles when it is full: 270 MB for a noisy picture of 1 megapixel. Nothing here reads the list.
 */
import { type Change, changed } from "./changes.ts";

/** The offset of a field of libaom's AV1Decoder in a store instruction (LEB128). */
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
