/** What a drawing may refer to: a part of itself, or a small raster image inside itself (RULES 6.4). */
import { SVG } from "../../../limits.ts";
import type { MasterFacts } from "../../model/facts.ts";
import { probeRaster } from "../raster.ts";
import { SvgRejectedError } from "./errors.ts";

/** The id of a reference within the document (`#id`), or null for any other. */
export function localId(reference: string): string | null {
  const trimmed = reference.trim();
  // A URL parser drops tabs and line breaks inside a reference: in one they are a disguise.
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
 * A raster image in a `data:` URI; null for anything else, and for one whose bytes are not what it says: a
 * nested SVG, HTML, a file cut short. Animations are left out too: a stored drawing holds still.
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
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
}
