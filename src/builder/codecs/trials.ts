/** Encodes a picture to see how it comes out: a file that is not sent, with the settings of a plan. */
import type { StillEncoderPlan } from "../../image/formats/encodings.ts";
import type { RowSource } from "../pixels/row-source.ts";
import type { RowWorkspace } from "../scheduling/row-workspace.ts";
import { encodeAvifRows } from "./avif/row-encoder.ts";
import { encodeJpeg } from "./jpeg/encoder.ts";
import { encodeWebp } from "./webp/encoder.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the file, in pieces. */
export async function encodeTrial(
  workspace: RowWorkspace,
  rows: RowSource,
  plan: StillEncoderPlan,
): Promise<Bytes[]> {
  switch (plan.name) {
    case "jpeg-rows": {
      const pieces: Bytes[] = [];
      for await (const piece of encodeJpeg(workspace, rows, plan.options)) pieces.push(piece);
      return pieces;
    }
    case "webp-rows":
      return [...(await encodeWebp(workspace, rows, plan.options)).chunks];
    case "avif-rows":
      return encodeAvifRows(workspace, rows, plan.options);
    case "png-rows":
      throw new RangeError("A format without loss needs no trial");
    default:
      return plan satisfies never;
  }
}
