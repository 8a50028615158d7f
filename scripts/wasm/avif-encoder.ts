/**
 * Fixes settings that jSquash's AVIF encoder (libaom 3.7) derives from the content, so that tiles which were encoded
 * separately have the same frame header and can be joined to one frame (src/builder/codecs/avif/stitch.ts).
 *
 * Two bits of the header follow from the content: whether screen content tools are allowed, and whether blocks
 * choose the size of their transforms. Both change how blocks are written, so they cannot be mended afterwards.
 * And the superblocks of a small tile are of 64 pixels, those of a large one of 128. libaom has options for the
 * first and the last, but jSquash passes none of them on: two options of jSquash that nobody needs give way.
 */
import { type Change, changed } from "./changes.ts";

/** Text as a C string, padded with zeros to `length` bytes. */
const text = (value: string, length = value.length + 1): number[] =>
  Array.from({ length }, (_, i) => (i < value.length ? value.charCodeAt(i) : 0));

function renamed(what: string, from: string, to: string): Change {
  const old = text(from);
  return { what, from: old, to: text(to, old.length) };
}

/** The offsets of fields of libaom's AV1_COMP in load and store instructions (LEB128). */
const MODE = [0xa0, 0xdc, 0x0f];
const ENABLE_PALETTE = [0x94, 0xd6, 0x0f];
const TX_MODE = [0xa4, 0xda, 0x0e];

const I32_CONST = 0x41;
const I32_EQ = 0x46;
const I32_LOAD8_U = [0x2d, 0x00];
const I32_STORE8 = [0x3a, 0x00];
const LOCAL_GET_0 = [0x20, 0x00];
const LOCAL_GET_6 = [0x20, 0x06];
const LOCAL_TEE_6 = [0x22, 0x06];
const I32_SHL = 0x74;
const I32_ADD = 0x6a;
/** 262,144 in four bytes of LEB128. */
const QUARTER_MEGABYTE = [0x80, 0x80, 0x90, 0x00];
/** `if`, a store of 0 to allow_screen_content_tools and allow_intrabc, and a branch out of the block. */
const NO_SCREEN_CONTENT = [0x04, 0x40, 0x20, 0x01, I32_CONST, 0x00, 0x3b, 0x00, 0x03, 0x0c, 0x01];
const REALTIME = 1;
const TX_MODE_LARGEST = 1;
const TX_MODE_SELECT = 2;

const CHANGES: readonly Change[] = [
  renamed("option palette, in jSquash", "denoiseLevel", "palette"),
  renamed("option palette, in libaom", "color:denoise-noise-level", "enable-palette"),
  {
    // av1_set_screen_content_options: real-time encoding, which is used for no still picture, forbids the tools.
    what: "without palettes, no screen content tools",
    from: [...I32_LOAD8_U, ...MODE, I32_CONST, REALTIME, I32_EQ, ...NO_SCREEN_CONTENT],
    to: [...I32_LOAD8_U, ...ENABLE_PALETTE, I32_CONST, 0, I32_EQ, ...NO_SCREEN_CONTENT],
  },
  // libaom counts 1 for superblocks of 128 pixels; jSquash passes a constant "1".
  renamed("option superblocks, in jSquash", "chromaDeltaQ", "superblocks"),
  renamed("option superblocks, in libaom", "color:enable-chroma-deltaq", "sb-size"),
  {
    // av1_encode_frame: when no block of a frame has split its transform, the frame says that none may.
    what: "blocks always choose their transform's size",
    from: [...LOCAL_GET_0, I32_CONST, TX_MODE_LARGEST, ...I32_STORE8, ...TX_MODE],
    to: [...LOCAL_GET_0, I32_CONST, TX_MODE_SELECT, ...I32_STORE8, ...TX_MODE],
  },
  {
    // od_ec_enc_normalize: of a file just over 4 MB, buffers that double took 16.
    what: "what is coded grows by 256 KB, and not to twice its size and 8 bytes",
    from: [...LOCAL_GET_6, I32_CONST, 1, I32_SHL, I32_CONST, 8, I32_ADD, ...LOCAL_TEE_6],
    to: [...LOCAL_GET_6, I32_CONST, ...QUARTER_MEGABYTE, I32_ADD, ...LOCAL_TEE_6],
  },
];

/** @throws Error when the module is not the one that these changes were made for */
export const settleAvifEncoder = (binary: Uint8Array): Uint8Array => changed(binary, CHANGES);
