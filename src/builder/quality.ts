/**
 * How `q` (80, 90, 95, 100) maps to each encoder's own scale, so that the same q looks alike.
 *
 * Measured by scripts/measure/quality.ts on a photograph and a screenshot (720 x 477, first figures) and on made
 * pictures full of grain (960 x 720, second figures): KB, SSIM of luma, ms in Node on one x86-64 core.
 *
 * | q   | sharp JPEG        | sharp WebP         | here                                                        |
 * | --- | ----------------- | ------------------ | ----------------------------------------------------------- |
 * | 80  | 79 .987 / 71 .979 | 61 .981 / 36 .964  | JPEG rows 80: as sharp's. mozjpeg 82: 74 .983 / 62 .975     |
 * |     |                   |                    | WebP 80: as sharp's. AVIF 65, 4:2:0: 57 .985 / 23 .964      |
 * | 90  | 135 .994/163 .988 | 92 .991 / 74 .981  | rows 90, WebP 90: as sharp's. AVIF 80: 95 .993 / 79 .978    |
 * | 95  | 177 .997/243 .993 | 126 .996/124 .990  | rows 95, WebP 95: as sharp's. AVIF 88: 130 .997 / 150 .989  |
 * | 100 | 329 1.00/660 .998 | 163 .998/189 .995  | rows 100, WebP 100: as sharp's. AVIF 95: 177 .999 / 264 .995|
 *
 * sharp's own AVIF scale is finer than its others (q 80: 82 .994 / 73 .987): AVIF is set to look like the JPEG
 * and WebP of the same q, in fewer bytes.
 *
 * - JPEG: our row encoder writes what libjpeg does, in 3 to 11 ms; mozjpeg takes 60 to 220.
 * - WebP method 4 and 2: 35 and 17 ms, 61 and 24; 2 costs 3 to 5 % more bytes at .002 to .003 less SSIM. 4.
 *   The sharp conversion to 4:2:0 (`use_sharp_yuv`) costs 2.5 times the memory and 3 to 15 % more bytes, gains
 *   .6 dB and loses .002 SSIM: not used. Near-lossless for q 100 doubles the bytes: not used either.
 *   Method 3 takes as long as 4, whose files and time are those of sharp's default (time: 1.08 times).
 * - WebP in rows takes a third of method 4's time. On 16 photographs of landscapes, animals and flowers, 1.7 to 20
 *   megapixels, shrunk to 1280 pixels (scripts/measure/webp.ts), it costs 7 % more bytes at the same SSIM than
 *   method 4 (6 % at q 90 and 95), and 12 % fewer than method 2 (15 % and 11 %). Used for all without alpha: libwebp
 *   is one call of 80 ms at 0.75 megapixels and of seconds at the largest, in which nobody else gets a turn, and what
 *   it takes follows from its file, 6 to 30 bytes a pixel, and cannot be known before.
 * - AVIF speed 6, 8 and 9 at 65: 519, 163 and 42 ms, 57.1, 56.7 and 60.3 KB, SSIM .9862, .9847 and .9813; on
 *   grain 9 costs 29 % more bytes. 8.
 */
import type { CodecPath } from "../image/plan/choose-encoder.ts";
import type { Quality } from "../image/model/variant.ts";

import type { JpegOptions } from "./codecs/jpeg/encoder.ts";

type Chroma = CodecPath["chroma"];
export type EncoderOptions = Readonly<Record<string, number>>;

const MOZJPEG_QUALITY: Record<Quality, number> = { 80: 82, 90: 90, 95: 95, 100: 100 };
const ROW_JPEG_QUALITY: Record<Quality, number> = { 80: 80, 90: 90, 95: 95, 100: 100 };
const WEBP_QUALITY: Record<Quality, number> = { 80: 80, 90: 90, 95: 95, 100: 100 };
const AVIF_QUALITY: Record<Quality, number> = { 80: 65, 90: 80, 95: 88, 100: 95 };

const YCBCR = 3;

export const mozjpegOptions = (quality: Quality, chroma: Chroma): EncoderOptions => ({
  quality: MOZJPEG_QUALITY[quality],
  baseline: 0,
  arithmetic: 0,
  progressive: 1,
  optimize_coding: 1,
  smoothing: 0,
  color_space: YCBCR,
  quant_table: 3,
  trellis_multipass: 0,
  trellis_opt_zero: 0,
  trellis_opt_table: 0,
  trellis_loops: 1,
  auto_subsample: 0,
  chroma_subsample: chroma === "444" ? 1 : 2,
  separate_chroma_quality: 0,
  chroma_quality: 0,
});

export const webpOptions = (quality: Quality): EncoderOptions => ({
  quality: WEBP_QUALITY[quality],
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

export const avifOptions = (quality: Quality, chroma: Chroma): EncoderOptions => ({
  quality: AVIF_QUALITY[quality],
  qualityAlpha: -1,
  tileColsLog2: 0,
  tileRowsLog2: 0,
  speed: 8,
  subsample: chroma === "444" ? 3 : 1,
  sharpness: 0,
  tune: 0,
  enableSharpYUV: 0,
  bitDepth: 8,
  // These two are libaom's own, which scripts/wasm/avif-encoder.ts lets through: the defaults.
  palette: 1,
  superblocks: 0,
});

/** Edges of tiles cost alpha up to 1 dB, which this brings back for a tenth more of its few bytes. */
const ALPHA_GAIN = 7;

/** For a tile, or the alpha of one: whatever it shows, its frame header is the same as that of its neighbours. */
export const avifTileOptions = (quality: Quality, plane: Chroma | "alpha"): EncoderOptions => ({
  ...avifOptions(quality, plane === "alpha" ? "420" : plane),
  ...(plane === "alpha" ? { subsample: 0, quality: Math.min(97, AVIF_QUALITY[quality] + ALPHA_GAIN) } : {}),
  palette: 0,
  superblocks: 1,
});

/** The row encoder knows libjpeg's scale. */
export const rowJpegOptions = (quality: Quality, chroma: Chroma): JpegOptions => ({
  quality: ROW_JPEG_QUALITY[quality],
  chroma,
});
