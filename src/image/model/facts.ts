/** What the probe learns of a master, and all that the plan may ask of it. Stored as JSON beside the row. */

export const MASTER_FORMATS = ["jpeg", "png", "gif", "webp", "avif", "svg"] as const;
export type MasterFormat = (typeof MASTER_FORMATS)[number];

/** EXIF orientation, 1 (upright) to 8 (TIFF 6.0 tag 274). AVIF `irot`/`imir` are expressed in it too. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** How the decoder's samples are to be read before they are sRGB. */
export type ColourModel = "gray" | "rgb" | "palette" | "cmyk";

/** Where the colour space is stated: nowhere (sRGB is assumed), by an ICC profile, or by code points (H.273). */
export type ColourProfile = "none" | "icc" | "cicp";

interface CommonFacts {
  /** Pixels as displayed: orientation and clean aperture applied. */
  width: number;
  height: number;
  /** Pixels as coded: before orientation and clean aperture. */
  codedWidth: number;
  codedHeight: number;
  orientation: Orientation;
  /** Number of frames; null when the file was stored before frames were counted. Stills have 1. */
  frames: number | null;
  /** True for more than one frame. An image sequence (AVIF `avis`) counts even when its length is unknown. */
  animated: boolean;
  hasAlpha: boolean;
  /** Bits a sample: 1, 2, 4, 8, 10, 12 or 16. */
  bitDepth: number;
  colour: ColourModel;
  profile: ColourProfile;
}

export interface JpegFacts extends CommonFacts {
  format: "jpeg";
  /** Process by its SOF marker (ITU T.81 table B.1): SOF0, SOF1, SOF2; everything else is "unsupported". */
  process: "baseline" | "extended" | "progressive" | "unsupported";
  /** Why the process is unsupported ("arithmetic", "lossless", "hierarchical", "12-bit", "2 components"); else null. */
  unsupported: string | null;
  components: number;
  /** Sampling factors of the first component over the others: [2,2] is 4:2:0, [2,1] is 4:2:2, [1,1] is 4:4:4. */
  sampling: [horizontal: number, vertical: number];
  scans: number;
}

export interface PngFacts extends CommonFacts {
  format: "png";
  interlaced: boolean;
  /** PNG colour type: 0 gray, 2 RGB, 3 palette, 4 gray+alpha, 6 RGBA. */
  colourType: 0 | 2 | 3 | 4 | 6;
}

export interface GifFacts extends CommonFacts {
  format: "gif";
}

export interface WebpFacts extends CommonFacts {
  format: "webp";
  lossless: boolean;
}

export interface AvifFacts extends CommonFacts {
  format: "avif";
  /** A derived `grid` item: tiles of equal coded size, row by row; null for a single item. */
  grid: { rows: number; columns: number; tileWidth: number; tileHeight: number } | null;
  /** Clean aperture in coded pixels, before orientation; null for the whole picture. */
  crop: { left: number; top: number; width: number; height: number } | null;
  /** Chroma sampling of the coded picture. */
  chroma: "400" | "420" | "422" | "444";
  /** It may be loop-restored, for which its decoder keeps a frame more; false where the data could not be read. */
  restorable: boolean;
}

export interface SvgFacts extends CommonFacts {
  format: "svg";
  /** What it takes to draw it, as upper bounds; the sanitizer counts them (svg/complexity.ts). */
  drawing: {
    /** Elements drawn, references followed. */
    elements: number;
    /** Pictures of up to the whole size that are held at once beside the drawing. */
    layers: number;
    /** Faces of the font that its text is drawn with. */
    faces: number;
    /** Filter primitives run, weighted by what they cost a pixel. */
    passes: number;
    /** The largest radius of an feMorphology, as a share of the width: its cost grows with the radius squared. */
    morphology: number;
    /** Why it cannot be drawn by the builder; null when it can. */
    undrawable: string | null;
    /**
     * Bytes of the document with its styles written out (svg/inline-styles), which is what is drawn; null when it is drawn
     * as it is. Absent in facts of before there was such a thing.
     */
    restyledBytes?: number | null;
  };
}

export type MasterFacts = JpegFacts | PngFacts | GifFacts | WebpFacts | AvifFacts | SvgFacts;

export const MIME_OF: Record<MasterFormat, string> = {
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
};
