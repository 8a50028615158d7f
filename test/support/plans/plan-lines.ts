/** Plans as lines that a person can read, one per plan: for the snapshots of test/unit/image/plan. */
import type { DecoderPlan } from "../../../src/image/formats/decodings.ts";
import type { AnimationEncoderPlan, StillEncoderPlan } from "../../../src/image/formats/encodings.ts";
import type {
  BuildPlan,
  FrameReaderPlan,
  SoleFrameReaderPlan,
  PlaceholderPlan,
  PlannedMemory,
} from "../../../src/image/plan/build-plan.ts";
import { MEGABYTE_BYTES } from "../../../src/limits.ts";

const MEMORY_PARTS = ["arena", "resampler", "rowCodec", "buffers", "colour", "output", "peak"] as const;

export const MEMORY_HEAD = `MB of ${MEMORY_PARTS.join(", ")}`;

const megabytes = (memory: PlannedMemory): string =>
  MEMORY_PARTS.map((part) => (memory[part] / MEGABYTE_BYTES).toFixed(2)).join(" ");

function decoderText(decoder: DecoderPlan): string {
  switch (decoder.name) {
    case "jpeg":
      return `jpeg at ${decoder.scale.map((size) => `${size}/8`).join(" ")}`;
    case "png":
      return decoder.sideBySide ? "png side by side" : "png";
    case "resvg":
      return `resvg in bands of ${decoder.bandRows}${decoder.inlinesStyles ? ", styles inlined" : ""}`;
    default:
      return decoder.name;
  }
}

const readerText = ({ name, keepsBefore }: FrameReaderPlan | SoleFrameReaderPlan): string =>
  `${name} frames${keepsBefore ? ", one kept" : ""}`;

/** Returns the settings that a quality decides. All others are the same for every plan. */
function encoderText(encoder: StillEncoderPlan | AnimationEncoderPlan): string {
  switch (encoder.name) {
    case "png-rows":
      return `${encoder.name} ${encoder.effort}`;
    case "jpeg-rows":
      return `${encoder.name} ${encoder.options.scale}`;
    case "webp-rows":
      return `${encoder.name} ${encoder.options.quality}${encoder.options.mayBeLossless ? ", lossless where smaller" : ""}`;
    case "avif-rows":
      return `${encoder.name} ${encoder.options.baseIndex} in ${encoder.options.chroma}`;
    case "gif":
      return `gif${encoder.isExact ? ", exact colours" : ""}`;
    case "webp":
      return `webp ${encoder.lossy["quality"]}${encoder.mayMask ? ", masked" : ""}${encoder.mayBeLossless ? ", lossless where smaller" : ""}`;
  }
}

function partsOf(plan: BuildPlan | PlaceholderPlan): string[] {
  if (plan.kind === "animation") return [plan.lane, readerText(plan.reader), encoderText(plan.encoder)];
  const canvas = `canvas ${plan.canvas.kind}`;
  if (plan.kind === "still") {
    return [plan.lane, decoderText(plan.decoder), canvas, encoderText(plan.encoder)];
  }
  const { master } = plan;
  return [master.by === "decoder" ? decoderText(master.decoder) : readerText(master.reader), canvas];
}

export function planLine(plan: BuildPlan | PlaceholderPlan): string {
  const { size, resampling, orientation, colour, memory } = plan;
  const scaled = `${resampling.to.width} x ${resampling.to.height} by ${resampling.by}`;
  const facts = [
    orientation === 1 ? "upright" : `turned ${orientation}`,
    colour.profile === "none" && !colour.isCmyk
      ? "as sRGB"
      : `${colour.isCmyk ? "ink, " : ""}${colour.profile}`,
    ...(colour.isFlattened ? ["on white"] : []),
  ];
  const [first = "", ...rest] = partsOf(plan);
  return [
    `${size.width} x ${size.height}`,
    first,
    ...rest.slice(0, 1),
    scaled,
    ...facts,
    ...rest.slice(1),
    megabytes(memory),
  ].join(" | ");
}
