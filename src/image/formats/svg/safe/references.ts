/** Checks references. A drawing may refer to a part of itself, or to a small embedded raster image (RULES 6.4). */
import { SVG } from "../../../../limits.ts";
import type { MasterFacts } from "../../../model/facts.ts";
import { probeRaster } from "../../raster.ts";
import { SvgRejectedError } from "../errors.ts";

/** Returns the id of a reference within the document (`#id`); null for any other reference. */
export function localId(reference: string): string | null {
  const trimmed = reference.trim();
  // A URL parser removes tabs and line breaks inside a reference, so they can only be a disguise.
  if (!trimmed.startsWith("#") || trimmed.length < 2 || /[\0-\x1f\x7f]/.test(trimmed)) return null;
  return trimmed.length <= SVG.idMaxCharacters ? trimmed.slice(1) : null;
}

export interface EmbeddedImage {
  /** The reference as it is written out. */
  uri: string;
  facts: MasterFacts;
}

const DATA_URI = /^data:image\/(png|jpe?g|gif|webp|avif);base64,/i;

/**
 * Returns a raster image in a `data:` URI. Null for anything else, and if the bytes are not what the URI says, such as
 * a nested SVG, HTML or a truncated file. Null for animations too, because a stored drawing is a still.
 * @throws SvgRejectedError for an image over the limits
 */
export function embeddedImage(reference: string): EmbeddedImage | null {
  const trimmed = reference.trim();
  const [prefix, subtype] = DATA_URI.exec(trimmed.slice(0, 64)) ?? [];
  if (prefix === undefined || subtype === undefined) return null;
  const base64 = trimmed.slice(prefix.length).replace(/[ \t\n\r\f]+/g, "");
  if (base64.length > Math.ceil(SVG.embeddedImageMaxBytes / 3) * 4) throw tooLarge();
  const bytes = decodeBase64(base64);
  if (!bytes) return null;
  if (bytes.length > SVG.embeddedImageMaxBytes) throw tooLarge();
  const facts = probeRaster(bytes);
  const declared = subtype.toLowerCase().replace("jpg", "jpeg");
  if (facts?.format !== declared || facts.animated) return null;
  if (facts.codedWidth * facts.codedHeight > SVG.embeddedImageMaxPixels) {
    throw new SvgRejectedError(
      `an embedded image has more than ${SVG.embeddedImageMaxPixels} pixels; use a smaller one`,
    );
  }
  return { uri: `data:image/${declared};base64,${base64.replace(/=+$/, "")}${padding(base64)}`, facts };
}

const tooLarge = (): SvgRejectedError =>
  new SvgRejectedError(
    `an embedded image is larger than ${SVG.embeddedImageMaxBytes} bytes; upload it as a media item of its own`,
  );

const padding = (base64: string): string => "=".repeat((4 - (base64.replace(/=+$/, "").length % 4)) % 4);

function decodeBase64(base64: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  let decoded: string;
  try {
    decoded = atob(base64);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(decoded.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = decoded.charCodeAt(at);
  return bytes;
}
