/**
 * How `q` (80, 90, 95, 100) maps to each encoder's own scale, so that the same q looks alike.
 */
import type { CodecPath } from "../image/codec-path.ts";
import type { Quality } from "../image/variant.ts";

import type { JpegOptions } from "./rows/jpeg-encoder.ts";

type Chroma = CodecPath["chroma"];
type Options = Readonly<Record<string, number>>;

const JPEG_QUALITY: Record<Quality, number> = { 80: 80, 90: 90, 95: 95, 100: 100 };
const ROW_JPEG_QUALITY: Record<Quality, number> = { 80: 80, 90: 90, 95: 95, 100: 100 };
const WEBP_QUALITY: Record<Quality, number> = { 80: 80, 90: 90, 95: 95, 100: 100 };
const AVIF_QUALITY: Record<Quality, number> = { 80: 60, 90: 75, 95: 85, 100: 95 };

const YCBCR = 3;

export const mozjpegOptions = (quality: Quality, chroma: Chroma): Options => ({
  quality: JPEG_QUALITY[quality],
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

export const webpOptions = (quality: Quality): Options => ({
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
  use_sharp_yuv: quality >= 95 ? 1 : 0,
});

export const avifOptions = (quality: Quality, chroma: Chroma): Options => ({
  quality: AVIF_QUALITY[quality],
  qualityAlpha: -1,
  denoiseLevel: 0,
  tileColsLog2: 0,
  tileRowsLog2: 0,
  speed: 8,
  subsample: chroma === "444" ? 3 : 1,
  chromaDeltaQ: 0,
  sharpness: 0,
  tune: 0,
  enableSharpYUV: 0,
  bitDepth: 8,
});

/** The row encoder knows libjpeg's scale. */
export const rowJpegOptions = (quality: Quality, chroma: Chroma): JpegOptions => ({
  quality: ROW_JPEG_QUALITY[quality],
  chroma,
});
