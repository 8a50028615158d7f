/** The properties of the decoding of JPEG that plans need: the decoder resizes, and can turn what it holds in full. */
import type { Rect } from "../../geometry/size.ts";
import type { JpegFacts } from "../../model/facts.ts";
import { asStored, turned, unmirrored } from "../../model/orientation.ts";
import { codedPixels, type Decoding, type MasterDecoding, pixelsInRows, type Wanted } from "../decoding.ts";
import { isTurnedByDecoder, type JpegFrame, probedFrame } from "./decoder-frame.ts";
import { type BlockSize, planJpegDecode } from "./decoder-memory.ts";

/** `scale` has the DCT scale of each component; `frame` is the frame header as far as the probe read it. */
export interface JpegDecoderPlan {
  name: "jpeg";
  scale: BlockSize[];
  frame: JpegFrame;
  budgetBytes: number;
}

/** Per pixel of the file, by its process, and per pixel of the output: a JPEG is resampled while it is decoded. */
const PIXEL_NANOSECONDS = { sequential: 1.5, progressive: 5.5, out: 9 } as const;

function cropOf(facts: JpegFacts, { crop }: Wanted): Rect | null {
  if (!crop) return null;
  const place = isTurnedByDecoder(facts) ? unmirrored : asStored;
  return place(crop.rect, facts, facts.orientation);
}

export const jpegDecoding: MasterDecoding<JpegFacts, JpegDecoderPlan> = {
  layout: ({ colour }) => (colour === "cmyk" ? "cmyk" : colour === "gray" ? "gray" : "rgb"),
  turnsRows: isTurnedByDecoder,
  unsupported: ({ unsupported }) =>
    unsupported === null ? null : `JPEG of the kind "${unsupported}" is not decoded`,

  decode(facts, _sourceBytes, wanted, budgetBytes): Decoding<JpegDecoderPlan> {
    const to = turned(wanted, isTurnedByDecoder(facts) ? 1 : facts.orientation);
    const crop = cropOf(facts, wanted);
    const frame = probedFrame(facts);
    const plan = planJpegDecode(frame, to, budgetBytes, crop ?? undefined);
    const { bytes, sizes } = plan ?? { bytes: Infinity, sizes: [] };
    return {
      arena: bytes,
      resampler: 0,
      buffers: 0,
      decoder: { name: "jpeg", scale: sizes, frame, budgetBytes },
      resampling: { by: "decoder", to },
      crop,
    };
  },

  nanoseconds(facts, _sourceBytes, wanted) {
    const isProgressive = facts.process === "progressive";
    const each = PIXEL_NANOSECONDS[isProgressive ? "progressive" : "sequential"];
    const isReadWhole = isProgressive || facts.scans > 1;
    const read = isReadWhole ? codedPixels(facts) : pixelsInRows(facts, wanted);
    return read * each + wanted.width * wanted.height * PIXEL_NANOSECONDS.out;
  },

  isExact: () => false,
  isPhotograph: () => true,
  frames: null,
};
