/** The blocks that the file of a variant holds beside the picture (RULES 9.9, 9.10). Nothing else is ever written. */
import { cutText } from "../../image/formats/metadata/rights.ts";
import type { Copyright } from "../../image/model/copyright.ts";
import type { BuildPlan, PlaceholderPlan } from "../../image/plan/build-plan.ts";
import { METADATA } from "../../limits.ts";
import { exifOf } from "./exif.ts";
import { DISPLAY_P3_PROFILE } from "./profile.ts";
import { xmpOf } from "./xmp.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Embedded {
  /** A TIFF block. */
  exif: Bytes | null;
  /** An XMP packet. */
  xmp: Bytes | null;
  /** Set for a picture in Display P3. */
  profile: Bytes | null;
}

export const NOTHING_EMBEDDED: Embedded = { exif: null, xmp: null, profile: null };

/** Cuts every text to `maxBytes`. An address that is longer is left out: a part of it leads nowhere. */
function cutTo(maxBytes: number, { statement, licensor, ...texts }: Copyright): Copyright {
  const cut = (text: string | null): string | null =>
    text === null ? null : cutText(text, maxBytes) || null;
  const whole = (text: string | null): string | null => (cut(text) === text ? text : null);
  const name = cut(licensor?.name ?? null);
  const url = whole(licensor?.url ?? null);
  return {
    creator: cut(texts.creator),
    credit: cut(texts.credit),
    notice: cut(texts.notice),
    usageTerms: cut(texts.usageTerms),
    statement: whole(statement),
    licensor: name === null && url === null ? null : { name, url },
  };
}

/** Writes the statements in at most METADATA.writtenMaxBytes: the longest texts are cut until they fit. */
export function written(rights: Copyright): Pick<Embedded, "exif" | "xmp"> {
  for (let maxBytes: number = METADATA.fieldMaxBytes; maxBytes > 0; maxBytes -= CUT_STEP_BYTES) {
    const cut = cutTo(maxBytes, rights);
    const [exif, xmp] = [exifOf(cut), xmpOf(cut)];
    if ((exif?.length ?? 0) + xmp.length <= METADATA.writtenMaxBytes) return { exif, xmp };
  }
  return { exif: null, xmp: null };
}

const CUT_STEP_BYTES = 10;

/** Returns what the plan says that the file holds. */
export function embeddedBy({ colour, rights }: BuildPlan | PlaceholderPlan): Embedded {
  return {
    ...(rights ? written(rights) : NOTHING_EMBEDDED),
    profile: colour.gamut === "p3" ? DISPLAY_P3_PROFILE : null,
  };
}
