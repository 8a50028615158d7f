/**
 * Makes the clean aperture of a file the whole picture, for libavif. In 4:2:0, libavif refuses a `clap` at an odd or
 * fractional place (ISO/IEC 23000-22 section 7.3.6.7), although cameras and libavif's own tools write such files. The
 * caller crops instead. The property is not removed, because libavif refuses a file with an unknown property marked
 * as essential.
 */
import { boxesIn, firstBox } from "../../../image/formats/avif/isobmff.ts";
import type { Size } from "../../../image/geometry/size.ts";

/** Bytes of version and flags, at the beginning of a FullBox. */
const FULL_BOX_BYTES = 4;
const CLAP_BYTES = 32;

/** Rewrites every `clap` of `file` in place, to the size of the picture without offset from its centre. */
export function widenApertures(file: Uint8Array, { width, height }: Size): void {
  const meta = firstBox(boxesIn(file, "file"), "meta");
  const properties = meta && firstBox(boxesIn(meta.subarray(FULL_BOX_BYTES), "meta"), "iprp");
  const container = properties && firstBox(boxesIn(properties, "iprp"), "ipco");
  if (!container) return;
  for (const { type, body } of boxesIn(container, "ipco")) {
    if (type !== "clap" || body.length < CLAP_BYTES) continue;
    const view = new DataView(body.buffer, body.byteOffset, CLAP_BYTES);
    // A clap has four fractions, each with two numbers of 32 bits: width, height, offset to the right, offset down.
    for (const [i, value] of [width, height, 0, 0].entries()) {
      view.setUint32(8 * i, value);
      view.setUint32(8 * i + 4, 1);
    }
  }
}
