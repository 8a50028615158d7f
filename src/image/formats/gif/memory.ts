/** What reading and writing GIF takes beside the frames. */

/** Tables of the LZW decoder. */
export const GIF_DECODER_BYTES = 100_000;
/** Tables of the LZW encoder, the quantiser and two palettes. */
export const GIF_ENCODER_BYTES = 2_260_000;
