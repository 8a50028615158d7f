/**
 * Maps `q` (80, 90, 95, 100) to the scales of the WebP encoders, so that the same q looks alike in every format.
 *
 * Measured by scripts/measure/quality.ts on a photograph and a screenshot (720 x 477, first figures) and on generated
 * pictures full of grain (960 x 720, second figures): KB and SSIM of luma. libwebp's scale is sharp's.
 *
 * | q   | sharp WebP          |
 * | --- | ------------------- |
 * | 80  | 61 .981 / 36 .964   |
 * | 90  | 92 .991 / 74 .981   |
 * | 95  | 126 .996 / 124 .990 |
 * | 100 | 163 .998 / 189 .995 |
 *
 * - libwebp runs at method 4. Method 4 takes 35 ms (first figures) and 61 ms (second), method 2 takes 17 ms and 24 ms.
 *   Method 2 costs 3 to 5 % more bytes and loses .002 to .003 of SSIM. Method 3 takes as long as method 4.
 * - The sharp conversion to 4:2:0 (`use_sharp_yuv`) costs 2.5 times the memory and 3 to 15 % more bytes, gains .6 dB
 *   and loses .002 of SSIM, so it is off. Near-lossless at q 100 doubles the bytes, so it is off too.
 *
 * The row encoder, which encodes most stills, is mapped by SSIMULACRA 2: 75 at q 80, 84 at q 90 and 88 at q 95, as the
 * median over photographs, and the best that 4:2:0 allows at q 100. Its own scale is finer than libwebp's. Measured on
 * twelve pictures of the Kodak suite at 768 x 512, and on 11 photographs shrunk to 400 to 500 pixels (six of the suite,
 * two of sharp's fixtures, three of scikit-image's data). "bytes" are relative to sharp at effort 6 with an equal
 * score; the last column is the same with an equal 3-norm of Butteraugli, for twelve pictures of both kinds:
 *
 * | q   | own  | score, 768 x 512 | bytes | score, small | bytes | bytes by Butteraugli |
 * | --- | ---- | ---------------- | ----- | ------------ | ----- | -------------------- |
 * | 80  | 79.3 | 74.2             | 0.87  | 76.1         | 0.88  | 0.94                 |
 * | 90  | 88.6 | 83.4             | 0.88  | 84.9         | 0.90  | 0.95                 |
 * | 95  | 93   | 87.7             | 0.92  | 89.0         | 0.92  |                      |
 * | 100 | 100  | 96.2             |       | 98.1         |       |                      |
 *
 * A drawing or screenshot is also encoded without loss, but below q 100 for the lowest bits of samples at edges, and kept
 * so where that takes no more bytes than the quality with loss. Measured on 33 pictures: generated text, a screenshot and drawings
 * at 236, 500 and 1000 pixels, and figures and icons of Debian's kicad-doc-en, gimp-help-en, gnome-user-docs and papirus
 * at their own size and shrunk. The pictures that were kept so, and their median and lowest score by SSIMULACRA 2:
 *
 * | q   | bits | kept | median | lowest |
 * | --- | ---- | ---- | ------ | ------ |
 * | 80  | 5    | 15   | 86.7   | 74.2   |
 * | 90  | 4    | 18   | 94.5   | 89.1   |
 *
 * Even at q 100, a drawing with loss seldom reaches 91, because its colours have half the resolution.
 */
import type { EncoderOptions } from "../../model/encoder-options.ts";
import type { Effort, Quality } from "../../model/variant.ts";

const LIBWEBP_QUALITY: Record<Quality, number> = { 80: 80, 90: 90, 95: 95, 100: 100 };
const ROW_QUALITY: Record<Quality, number> = { 80: 79.3, 90: 88.6, 95: 93, 100: 100 };
const ROUNDED_BITS: Record<Quality, number> = { 80: 5, 90: 4, 95: 4, 100: 0 };

export const libwebpOptions = (quality: Quality): EncoderOptions => ({
  quality: LIBWEBP_QUALITY[quality],
  target_size: 0,
  target_PSNR: 0,
  method: 4,
  sns_strength: 50,
  filter_strength: 60,
  filter_sharpness: 0,
  filter_type: 1,
  partitions: 0,
  segments: 4,
  pass: 1,
  show_compressed: 0,
  preprocessing: 0,
  autofilter: 0,
  partition_limit: 0,
  alpha_compression: 1,
  alpha_filtering: 1,
  alpha_quality: 100,
  lossless: 0,
  exact: 0,
  image_hint: 0,
  emulate_jpeg_size: 0,
  low_memory: 0,
  near_lossless: 100,
  use_delta_palette: 0,
  use_sharp_yuv: 0,
});

export interface RowWebpOptions {
  /** 0 to 100, on libwebp's curve of quantisers, which each macroblock varies by what it shows. */
  readonly quality: number;
  /** The finest quality that the memory is planned for, where it is fitted to the picture; absent if it is not. */
  readonly finestQuality?: number;
  /** Thorough if absent. */
  readonly effort?: Effort;
  /** Whether the picture is also encoded without loss, and so kept if that takes no more bytes. */
  readonly mayBeLossless?: boolean;
  /** How many of the lowest bits of samples may be rounded then, where edges hide it. */
  readonly roundedBits?: number;
}

export const rowWebpOptions = (
  quality: Quality,
  mayBeLossless = false,
  effort: Effort = "thorough",
): RowWebpOptions => ({
  quality: ROW_QUALITY[quality],
  effort,
  mayBeLossless,
  roundedBits: ROUNDED_BITS[quality],
});

/** How the frames of an animation are encoded. */
export interface WebpAnimationOptions {
  /** Whether pixels that did not change may be encoded as transparent. */
  mayMask: boolean;
  /** Whether all frames may be encoded without loss, if that is smaller. */
  mayBeLossless: boolean;
  lossy: EncoderOptions;
  lossless: EncoderOptions;
  /** The largest difference of a channel from the previous frame that still counts as unchanged, of 255. */
  tolerance: number;
}

/** Differences that the loss of each quality hides anyway. libwebp's own animation encoder allows 4, 3, 2 and 1. */
const TOLERANCE: Record<Quality, number> = { 80: 4, 90: 2, 95: 1, 100: 0 };
/** The effort of the lossless encoder, 0 to 100. */
const LOSSLESS_EFFORT = 75;

export function webpAnimationOptions(
  quality: Quality,
  modes: Pick<WebpAnimationOptions, "mayMask" | "mayBeLossless">,
): WebpAnimationOptions {
  // For large frames the encoder keeps no tokens: they take up to 20 bytes per pixel, which is not known in advance.
  const lossy = { ...libwebpOptions(quality), low_memory: modes.mayMask ? 0 : 1 };
  const lossless = { ...lossy, lossless: 1, quality: LOSSLESS_EFFORT };
  return { ...modes, lossy, lossless, tolerance: TOLERANCE[quality] };
}

/** The last quantiser index of VP8, and how much the step of the first ones is above the index (RFC 6386, 14.1). */
const LAST_INDEX = 127;
const STEP_ABOVE_INDEX = 4;
/** libwebp's curve: the compression over the quality has a kink, and the index follows its cube root. */
const KINK = { quality: 75, compression: 0.5 } as const;

/** Returns the options with about `factor` times the steps of quantisation. */
export function scaledWebp(options: RowWebpOptions, factor: number): RowWebpOptions {
  const { quality } = options;
  const compression = quality < KINK.quality ? quality / 150 : quality / 50 - 1;
  const index = LAST_INDEX * (1 - Math.cbrt(compression));
  const wanted = Math.max(0, Math.min(LAST_INDEX, factor * (index + STEP_ABOVE_INDEX) - STEP_ABOVE_INDEX));
  const scaled = (1 - wanted / LAST_INDEX) ** 3;
  return {
    ...options,
    quality: scaled < KINK.compression ? 150 * scaled : 50 * (scaled + 1),
    finestQuality: quality,
  };
}
