/** Decodes an animated PNG whose only frame is not its default image (PNG 3rd edition section 11.3.6) as a still. */
import type { PngFacts } from "../../../image/model/facts.ts";
import { AnimationError } from "../../animation/animation.ts";
import { placeRows } from "../../pixels/place-rows.ts";
import { arenaWorkspace, type BuildContext } from "../../streams/build-context.ts";
import { ApngFrames } from "./apng-frames.ts";
import { decodePng } from "./decoder.ts";
import type { PngRows } from "./png-rows.ts";

/** Decodes the frame at its place on a transparent canvas. @throws AnimationError | InvalidImageError | PngDecodeError */
export async function decodeSoleFrame(context: BuildContext, facts: PngFacts): Promise<PngRows> {
  const canvas = { width: facts.codedWidth, height: facts.codedHeight };
  const frames = new ApngFrames(context.source.stream, canvas);
  const frame = await frames.next();
  if (!frame) throw new AnimationError("The animation has no frames");
  const of = { ...facts, codedWidth: frame.width, codedHeight: frame.height };
  const rows = await decodePng(arenaWorkspace(context), frames.still(frame), of);
  const placed = placeRows(rows, frame, canvas);
  return {
    width: placed.width,
    height: placed.height,
    layout: placed.layout,
    next: () => placed.next(),
    get memoryBytes() {
      return rows.memoryBytes;
    },
    cancel: () => rows.cancel(),
  };
}
