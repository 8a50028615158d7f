import type { ColourModel, JpegFacts } from "../../model/facts.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { u16be } from "../../bytes/numbers.ts";

export interface Component {
  id: number;
  horizontal: number;
  vertical: number;
}

/** A frame header: ITU T.81 section B.2.2. */
export interface Frame {
  process: JpegFacts["process"];
  unsupported: string | null;
  precision: number;
  width: number;
  height: number;
  components: Component[];
}

/**
 * Returns whether a marker is SOF0 to SOF15. DHT (C4), JPG (C8) and DAC (CC) lie in the same range (T.81 table B.1).
 */
export const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Reads a frame header, whose length field was read already.
 * @throws InvalidImageError when a field has a value that T.81 tables B.2 does not allow for the process
 */
export function readFrame(marker: number, body: Uint8Array): Frame {
  if (body.length < 6) throw new InvalidImageError("JPEG frame header is too short");
  const precision = body[0]!;
  const height = u16be(body, 1);
  const width = u16be(body, 3);
  const count = body[5]!;
  if (count === 0 || body.length !== 6 + 3 * count) {
    throw new InvalidImageError(`JPEG frame header of ${count} components has a wrong length`);
  }
  // A height of 0 means that a DNL segment after the first scan states it. No decoder in use supports that.
  if (width === 0 || height === 0) throw new InvalidImageError(`JPEG of ${width}×${height} pixels`);

  const components: Component[] = [];
  for (let at = 6; at < body.length; at += 3) {
    const horizontal = body[at + 1]! >> 4;
    const vertical = body[at + 1]! & 15;
    if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) {
      throw new InvalidImageError(`JPEG component has sampling factors ${horizontal}×${vertical}`);
    }
    components.push({ id: body[at]!, horizontal, vertical });
  }
  const { process, unsupported } = processOf(marker, precision, count);
  return { process, unsupported, precision, width, height, components };
}

function processOf(marker: number, precision: number, count: number): Pick<Frame, "process" | "unsupported"> {
  const refuse = (unsupported: string) => ({ process: "unsupported" as const, unsupported });
  if (marker === 0xc5 || marker === 0xc6 || marker === 0xc7 || marker >= 0xcd) return refuse("hierarchical");
  if (marker === 0xc3 || marker === 0xcb) return refuse("lossless");
  if (precision !== 8 && (precision !== 12 || marker === 0xc0)) {
    throw new InvalidImageError(`JPEG frame has a precision of ${precision} bits`);
  }
  if (marker >= 0xc9) return refuse("arithmetic");
  if (precision === 12) return refuse("12-bit");
  if (count === 2 || count > 4) return refuse(`${count} components`);
  return {
    process: marker === 0xc0 ? "baseline" : marker === 0xc1 ? "extended" : "progressive",
    unsupported: null,
  };
}

/**
 * Returns the colour model by the number of components. Three are YCbCr or RGB; only the decoder needs to know which.
 */
export const colourOf = (components: number): ColourModel =>
  components === 1 ? "gray" : components === 4 ? "cmyk" : "rgb";

/**
 * Returns the sampling of the first component over that of the second. The second stands for all others: Cb and Cr are
 * sampled alike in practice, and the K of a YCCK like the first.
 */
export function samplingOf([first, second]: Component[]): JpegFacts["sampling"] {
  if (first === undefined || second === undefined) return [1, 1];
  return [first.horizontal / second.horizontal, first.vertical / second.vertical];
}
