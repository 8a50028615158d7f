/** The facts that the probe finds out about a master. The plan uses nothing else. The master's row has them as JSON. */
import type { Copyright } from "./copyright.ts";
import type { MasterFormat } from "../formats/registry.ts";

/** EXIF orientation, 1 (upright) to 8 (TIFF 6.0 tag 274). AVIF `irot` and `imir` are converted to it. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The meaning of the samples of the file, before any conversion to sRGB. */
export type ColourModel = "gray" | "rgb" | "palette" | "cmyk";

/**
 * How the file states its colour space: not at all (sRGB is assumed), by an ICC profile, by code points (H.273), or by
 * the gamma and the chromaticities of a PNG.
 */
export type ColourProfile = "none" | "icc" | "cicp" | "gamma";

/**
 * Facts that an inspection finds out beside the probe (formats/inspection.ts). Absent for most files, and for masters
 * that were stored before there were inspections, until the sweep has inspected them.
 */
export interface InspectedFacts {
  /** The statements about rights in the file. */
  copyright?: Copyright;
  /** Set when its colours are wider than sRGB. */
  wide?: true;
}

interface CommonFacts extends InspectedFacts {
  /** Pixels as displayed: orientation and clean aperture applied. */
  width: number;
  height: number;
  /** Pixels as coded: before orientation and clean aperture. */
  codedWidth: number;
  codedHeight: number;
  orientation: Orientation;
  /** Number of frames, 1 for a still. Null for a file that was stored before the probe counted frames. */
  frames: number | null;
  /** Whether there is more than one frame. True for an image sequence (AVIF `avis`) even when its length is unknown. */
  animated: boolean;
  hasAlpha: boolean;
  /** Bits per sample: 1, 2, 4, 8, 10, 12 or 16. */
  bitDepth: number;
  colour: ColourModel;
  profile: ColourProfile;
}

export interface JpegFacts extends CommonFacts {
  format: "jpeg";
  /** The coding process by its marker (ITU T.81 table B.1): SOF0, SOF1 or SOF2; all others are "unsupported". */
  process: "baseline" | "extended" | "progressive" | "unsupported";
  /**
   * The reason why the process is unsupported ("arithmetic", "lossless", "hierarchical", "12-bit", "2 components");
   * else null.
   */
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
  /**
   * Set for an animation of one frame that is not the default image: the frame is then the picture. Absent for other
   * files, and in facts that are older than this field.
   */
  hidesDefault?: true;
}

export interface GifFacts extends CommonFacts {
  format: "gif";
  /** Whether the first frame is interlaced. Absent in facts that are older than this field. */
  interlaced?: boolean;
}

export interface WebpFacts extends CommonFacts {
  format: "webp";
  lossless: boolean;
}

/** The facts of the header of an AV1 frame that the memory of its decoder follows from. */
export interface FrameNeeds {
  tileColumns: number;
  /**
   * Rows of luma in the tallest row of tiles, in whole superblocks, of a frame with intra block copy: its blocks are copied
   * from anywhere in their tile. 0 without it.
   */
  copiedRows: number;
  /** Whether super-resolution enlarges the frame. */
  isEnlarged: boolean;
  /** Whether its quantiser has matrices. */
  hasMatrices: boolean;
  /** Whether it may have palettes, which encoders allow in drawings and screenshots. Memory does not follow from it. */
  hasScreenTools: boolean;
}

export interface AvifFacts extends CommonFacts {
  format: "avif";
  /** The tiles of a derived `grid` item: all of one coded size, stored row by row. Null for a single item. */
  grid: { rows: number; columns: number; tileWidth: number; tileHeight: number } | null;
  /** Clean aperture in coded pixels, before orientation. Null for the whole picture. */
  crop: { left: number; top: number; width: number; height: number } | null;
  /** Chroma sampling of the coded picture. */
  chroma: "400" | "420" | "422" | "444";
  /**
   * Whether frames may be loop-restored, for which the decoder keeps one more frame. False when the sequence header
   * could not be read.
   */
  restorable: boolean;
  /** Samples on a side of a superblock; absent when the sequence header could not be read. */
  superblock?: 64 | 128;
  /** The most that frames of the colour and of the alpha need; absent for the least, and in facts of earlier versions. */
  needs?: Record<"colour" | "alpha", FrameNeeds>;
  /** Whether frames of the colour may have palettes; absent in facts of earlier versions. */
  hasScreenTools?: boolean;
  /**
   * Frames that libaom may keep beside the one that is shown: those of other layers, and one for film grain. Absent in
   * facts of earlier versions.
   */
  keptFrames?: number;
}

/**
 * The work of a renderer on a drawing (formats/svg/work/drawn-work.ts). Lengths and areas are shares of the canvas,
 * because the size at which it is drawn is not known.
 */
export interface DrawnWork {
  /** Lines of outlines, those of strokes and letters included. */
  edges: number;
  /** Letters, each of which is looked up, placed and made an outline. */
  letters: number;
  /** Dashes into which strokes are cut. */
  dashes: number;
  /** Rows that lines cross, and columns along strokes, in heights and widths of the canvas. */
  rows: number;
  columns: number;
  /** Rows that lines cross, each times the lines of the same outline in the row: they are kept in order, one by one. */
  crossings: number;
  /** Canvases that are painted in one colour, and with gradients or patterns. */
  plain: number;
  shaded: number;
  /** Canvases that are made for layers, cleared and composed. */
  layered: number;
  /** Canvases that filter primitives compute, weighted by their cost. */
  filtered: number;
  /** Canvases in which an feMorphology compares pixels. */
  morphed: number;
  /** Embedded images, in canvases. */
  images: number;
  /** Pixels of embedded images, which are decoded at each place where one is drawn. */
  decoded: number;
}

export interface SvgFacts extends CommonFacts {
  format: "svg";
  /** Upper bounds of what drawing takes, which the sanitizer counts (formats/svg/work/complexity.ts). */
  drawing: {
    /** Elements that are drawn; one that is referred to counts once per reference. */
    elements: number;
    /** Intermediate pictures, each at most as large as the drawing, that exist at the same time. */
    layers: number;
    /** Font faces that its text needs. */
    faces: number;
    /** Filter primitives that run, weighted by their cost per pixel. */
    passes: number;
    /** The largest radius of an feMorphology as a share of the width. Its cost grows with the square of the radius. */
    morphology: number;
    /** The reason why the builder cannot draw it; null when it can. */
    undrawable: string | null;
    /**
     * Bytes of the document whose styles were written out as attributes (formats/svg/inline-styles), which the builder
     * then draws. Null when it draws the stored document. Absent in facts that are older than this field.
     */
    restyledBytes?: number | null;
    /** Absent when it is not drawn, and in facts that are older than this field. */
    work?: DrawnWork;
  };
}

interface FactsByFormat {
  jpeg: JpegFacts;
  png: PngFacts;
  gif: GifFacts;
  webp: WebpFacts;
  avif: AvifFacts;
  svg: SvgFacts;
}

/** The facts of masters in one format. */
export type FactsOf<Format extends MasterFormat> = FactsByFormat[Format];

export type MasterFacts = FactsOf<MasterFormat>;
