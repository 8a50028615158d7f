/** The memory that reading and writing GIF takes beside the frames. */
import type { GifFacts } from "../../model/facts.ts";

/** Tables of the LZW decoder. */
export const GIF_DECODER_BYTES = 100_000;
/**
 * Returns the bytes of the indices that are held while a still is decoded: every second row of an interlaced picture,
 * `rows` high. It may be interlaced where the facts do not say it.
 */
export const gifHeldBytes = ({ codedWidth, interlaced = true }: GifFacts, rows: number): number =>
  interlaced ? codedWidth * Math.ceil(rows / 2) : 0;

/** Tables of the LZW encoder, the quantiser and two palettes. */
export const GIF_ENCODER_BYTES = 2_260_000;
/** A piece of a frame's data as it is written: 256 sub-blocks of 255 bytes, each with its length. */
export const GIF_PIECE_BYTES = 65_536;
