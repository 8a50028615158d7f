/**
 * The font with which all text is drawn, whatever font a drawing asks for. A build has no other.
 *
 * Noto Sans (Latin, Greek, Cyrillic, Devanagari), copyright 2022 The Noto Project Authors, under the SIL Open Font
 * License 1.1; the licence is in the package, as LICENSE_FONT.
 */
import bold from "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf";
import italic from "@expo-google-fonts/noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf";
import regular from "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf";
import { type Face, facesOf } from "../../../image/formats/svg/font-faces.ts";

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

const FACES: Record<Face, ArrayBuffer> = { regular, bold, italic };

/** The font files that `document` needs. */
export const fontsFor = (document: string): Uint8Array[] =>
  facesOf(document).map((face) => new Uint8Array(FACES[face]));
