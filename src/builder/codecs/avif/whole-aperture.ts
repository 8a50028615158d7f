/**
 * A file for libavif whose clean aperture is the whole picture. libavif refuses a `clap` at an odd or fractional place in
 * 4:2:0 (ISO/IEC 23000-22 section 7.3.6.7), which cameras and libavif's own tools write; the crop is the caller's to make.
 * The property must stay: one that libavif does not know is refused where it is marked as essential.
 */
import { boxesIn, firstBox } from "../../../image/formats/avif/isobmff.ts";
import type { Size } from "../../../image/model/size.ts";

/** Version and flags, which a FullBox begins with. */
const FULL_BOX_BYTES = 4;
const CLAP_BYTES = 32;

/** Rewrites every `clap` of `file` in place: the size of the picture, at no offset from its centre. */
export function widenApertures(file: Uint8Array, { width, height }: Size): void {
  const meta = firstBox(boxesIn(file, "file"), "meta");
  const properties = meta && firstBox(boxesIn(meta.subarray(FULL_BOX_BYTES), "meta"), "iprp");
  const container = properties && firstBox(boxesIn(properties, "iprp"), "ipco");
  if (!container) return;
  for (const { type, body } of boxesIn(container, "ipco")) {
    if (type !== "clap" || body.length < CLAP_BYTES) continue;
    const view = new DataView(body.buffer, body.byteOffset, CLAP_BYTES);
    // Four fractions of 32 bits each: width, height, right, down.
    for (const [i, value] of [width, height, 0, 0].entries()) {
      view.setUint32(8 * i, value);
      view.setUint32(8 * i + 4, 1);
    }
  }
}
