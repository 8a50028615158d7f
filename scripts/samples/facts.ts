/** Facts of masters for whoever tests or measures pure decisions. */
import type {
  AvifFacts,
  GifFacts,
  JpegFacts,
  PngFacts,
  SvgFacts,
  WebpFacts,
} from "../../src/image/model/facts.ts";

const common = (width: number, height: number, frames: number | null = 1) => ({
  width,
  height,
  codedWidth: width,
  codedHeight: height,
  orientation: 1 as const,
  frames,
  animated: frames !== null && frames > 1,
  hasAlpha: false,
  bitDepth: 8,
  colour: "rgb" as const,
  profile: "none" as const,
});

export const jpegFacts = (width: number, height: number): JpegFacts => ({
  ...common(width, height),
  format: "jpeg",
  process: "baseline",
  unsupported: null,
  components: 3,
  sampling: [2, 2],
  scans: 1,
});

export const pngFacts = (
  width: number,
  height: number,
  options: { frames?: number; hasAlpha?: boolean } = {},
): PngFacts => ({
  ...common(width, height, options.frames ?? 1),
  hasAlpha: options.hasAlpha ?? false,
  format: "png",
  interlaced: false,
  colourType: options.hasAlpha ? 6 : 2,
});

export const gifFacts = (width: number, height: number, frames = 1): GifFacts => ({
  ...common(width, height, frames),
  colour: "palette",
  format: "gif",
});

export const webpFacts = (width: number, height: number, frames = 1): WebpFacts => ({
  ...common(width, height, frames),
  format: "webp",
  lossless: false,
});

export const avifFacts = (width: number, height: number, frames = 1): AvifFacts => ({
  ...common(width, height, frames),
  format: "avif",
  grid: null,
  crop: null,
  chroma: "420",
  restorable: false,
  keptFrames: 0,
});

export const svgFacts = (width: number, height: number): SvgFacts => ({
  ...common(width, height),
  format: "svg",
  hasAlpha: true,
  drawing: { elements: 1, layers: 0, faces: 0, passes: 0, morphology: 0, undrawable: null },
});
