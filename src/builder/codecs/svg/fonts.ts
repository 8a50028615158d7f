/**
 * The fonts with which all text is drawn, whatever font a drawing asks for. A build has no others.
 *
 * Noto Sans (Latin, Greek, Cyrillic, Devanagari) and, for symbols, Noto Sans Math, copyright 2022 The Noto Project
 * Authors, under the SIL Open Font License 1.1. Their files and licences are static assets of the builder
 * (scripts/build/fonts.ts): most builds draw no text, and half of the script would be fonts.
 */
import { facesOf } from "../../../image/formats/svg/css/font-faces.ts";
import type { ReadFont } from "../../streams/build-context.ts";
import { SourceLost } from "../../streams/source-lost.ts";

const FAMILY = "Noto Sans";

export const FONT_OPTIONS = {
  loadSystemFonts: false,
  defaultFontFamily: FAMILY,
  serifFamily: FAMILY,
  sansSerifFamily: FAMILY,
  cursiveFamily: FAMILY,
  fantasyFamily: FAMILY,
  monospaceFamily: FAMILY,
} as const;

/**
 * Returns the font files that `document` needs.
 * @throws SourceLost when one does not arrive: nothing is known of the drawing then, and another try may succeed
 */
export async function fontsFor(document: string, read: ReadFont): Promise<Uint8Array[]> {
  try {
    return await Promise.all(facesOf(document).map(read));
  } catch (cause) {
    throw new SourceLost("a font could not be read", { cause });
  }
}

/** Reads fonts from the static assets that `files` stands for. */
export const fontsOf =
  (files: { fetch(address: string): Promise<Response> }): ReadFont =>
  async (face) => {
    // The host means nothing: assets are found by their paths.
    const response = await files.fetch(`https://fonts/${face}.ttf`);
    if (!response.ok) throw new Error(`the font ${face} was answered with ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
