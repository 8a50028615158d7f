/** Chooses the canvas that holds a still between its decoder and its encoder. */
import { orientationOfRows } from "../formats/decodings.ts";
import { planesOf } from "../memory/planes.ts";
import { CHANNELS_OF } from "../memory/rows.ts";
import type { MasterFacts } from "../model/facts.ts";
import { turned } from "../model/orientation.ts";
import type { VariantSpec } from "../model/variant.ts";
import type { CanvasKind, CanvasPlan } from "./build-plan.ts";
import { pictureLayout } from "./picture-to-encode.ts";

/**
 * Chooses the canvas of the best quality. planStill (plan-still.ts) checks whether there is room for it.
 * @param isReread whether the picture is read more than once, so that it is held although it is upright
 */
export const canvasFor = (facts: MasterFacts, spec: VariantSpec, isReread = false): CanvasPlan =>
  canvasOf(orientationOfRows(facts) === 1 && !isReread ? "none" : "planes", facts, spec);

/**
 * Returns the same canvas with half the chroma resolution, which takes little more than half the bytes; null if that is
 * no option.
 */
export function withHalvedChroma(
  canvas: CanvasPlan,
  facts: MasterFacts,
  spec: VariantSpec,
): CanvasPlan | null {
  if (canvas.kind !== "planes" || CHANNELS_OF[pictureLayout(facts, spec)] < 3) return null;
  return canvasOf("planes-420", facts, spec);
}

function canvasOf(kind: CanvasKind, facts: MasterFacts, spec: VariantSpec): CanvasPlan {
  const orientation = orientationOfRows(facts);
  const layout = pictureLayout(facts, spec);
  const isHalved = kind === "planes-420";
  const bytes =
    kind === "none" ? 0 : planesOf(turned(spec, orientation), layout, orientation, isHalved).bytes;
  return { kind, bytes, floorBytes: 0 };
}
