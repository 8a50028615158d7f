/**
 * Decodes JPEG in rows: the JavaScript side of assembly/decoder. The file is streamed. A sequential file is decoded
 * while rows are read. A progressive file, or one with a scan per component, is read whole before the first row.
 */
import type { JpegFacts } from "../../../image/model/facts.ts";
import { type BlockSize, planJpegDecode } from "../../../image/formats/jpeg/decoder-memory.ts";
import { isTurnedByDecoder } from "../../../image/model/orientation.ts";
import { DecoderInput, type JpegBody } from "./decoder-input.ts";
import { type JpegDecoderModule, newJpegDecoder } from "./decoder-module.ts";
import { DONE, FRAME, NEED_INPUT, ROWS } from "./decoder-status.ts";
import { JpegDecodeError, faultOf } from "./errors.ts";
import {
  STORE_COEFFICIENTS,
  STORE_NOTHING,
  STORE_PLANES,
} from "../../../image/formats/jpeg/decoder-constants.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { type JpegFrame, type JpegStorage, uprightFrame } from "../../../image/formats/jpeg/decoder-frame.ts";

export { JpegDecodeError } from "./errors.ts";

const STORAGES: Record<number, JpegStorage> = {
  [STORE_NOTHING]: "none",
  [STORE_PLANES]: "planes",
  [STORE_COEFFICIENTS]: "coefficients",
};
const LAYOUTS = { 1: "gray", 3: "rgb", 4: "cmyk" } as const;

/** Units of WorkMeter per unit of work that the module counts: 1.3 to 1.9 were measured. */
const WORK_PER_UNIT = 1.6;

/** How a JPEG is read. */
export interface JpegReading {
  /** The scale that the plan chose, and the frame header it was chosen for. */
  scale?: readonly BlockSize[];
  frame?: JpegFrame;
  /** The part that is handed out, in pixels of the rows before they are mirrored; absent for the whole. */
  crop?: Rect;
}

/** Rows of a JPEG, and the memory that decoding them takes. */
export interface JpegRowSource extends RowSource {
  /** Bytes allocated in the arena so far. Nothing is freed, so after the last row this is the peak. */
  peakBytes(): number;
}

class JpegRows implements JpegRowSource {
  readonly width: number;
  readonly height: number;
  readonly #memory: WebAssembly.Memory;
  readonly #decoder: JpegDecoderModule;
  readonly #input: DecoderInput;
  readonly #meter: WorkMeter;
  #worked = 0;
  #given = 0;
  #finished = false;

  constructor(
    { memory, work }: RowWorkspace,
    decoder: JpegDecoderModule,
    input: DecoderInput,
    out: { width: number; height: number },
  ) {
    this.#memory = memory;
    this.#decoder = decoder;
    this.#input = input;
    this.width = out.width;
    this.height = out.height;
    this.#meter = work;
  }

  get layout(): "gray" | "rgb" | "cmyk" {
    return LAYOUTS[this.#decoder.frameComponents() as keyof typeof LAYOUTS];
  }

  peakBytes(): number {
    return this.#decoder.highWater();
  }

  /**
   * Lets the module work until it answers one of `stops`. Hands it input, and lets the event loop run, as needed.
   * @throws JpegDecodeError for a fault of the file or too little memory
   */
  async run(...stops: number[]): Promise<number> {
    for (;;) {
      const status = this.#decoder.step();
      if (status < 0) throw faultOf(status);
      const units = this.#decoder.workUnits();
      await this.#meter.spend((units - this.#worked) * WORK_PER_UNIT);
      this.#worked = units;
      if (stops.includes(status)) return status;
      if (status === NEED_INPUT) await this.#input.more();
    }
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#finished) return null;
    const status = await this.run(ROWS, DONE).catch(async (error: unknown) => {
      this.#finished = true;
      await this.#input.cancel();
      throw error;
    });
    if (status === ROWS) {
      const rows = this.#decoder.rowCount();
      this.#given += rows;
      const bytes = rows * this.width * { gray: 1, rgb: 3, cmyk: 4 }[this.layout];
      return new Uint8Array(this.#memory.buffer, this.#decoder.rowsAddress(), bytes);
    }
    this.#finished = true;
    await this.#input.cancel();
    if (this.#given !== this.height)
      throw new JpegDecodeError("CORRUPT", "The file has fewer rows than its header says");
    return null;
  }
}

/**
 * Decodes a JPEG at the output size: upright where `isTurnedByDecoder` says so, else as coded. Components are decoded
 * at the DCT scale that keeps twice the output's resolution, or at a smaller one where the memory is short.
 *
 * Layouts: "gray" for one component, "rgb" for three, "cmyk" for four. A CMYK sample is an amount of ink and 0 is
 * none: Adobe's inverted samples are inverted back, YCCK is converted.
 * @param facts what the probe found; a file that differs is refused
 * @param out size of the rows that are handed out, in pixels
 * @param memoryBudgetBytes bytes of the memory that the decoder may use
 * @param reading its scale is used if the file has the frame header that it was chosen for
 * @throws JpegDecodeError here, or from `next()`
 */
export async function decodeJpeg(
  workspace: RowWorkspace,
  body: JpegBody,
  facts: JpegFacts,
  out: { width: number; height: number },
  memoryBudgetBytes: number,
  reading: JpegReading = {},
): Promise<JpegRowSource> {
  const decoder = newJpegDecoder(workspace.memory);
  const input = new DecoderInput(workspace.memory, decoder, body);
  const rows = new JpegRows(workspace, decoder, input, out);
  try {
    const fault = decoder.begin();
    if (fault < 0) throw faultOf(fault);
    await rows.run(FRAME);
    configure(decoder, facts, out, memoryBudgetBytes, reading);
    return rows;
  } catch (error) {
    await input.cancel();
    throw error;
  }
}

/**
 * Lays out the memory of the module, now that the frame header is read.
 * @throws JpegDecodeError when the file is not what was probed, or the memory is too small
 */
function configure(
  decoder: JpegDecoderModule,
  facts: JpegFacts,
  out: { width: number; height: number },
  budget: number,
  { scale, frame: planned, crop }: JpegReading,
): void {
  const width = decoder.frameWidth();
  const height = decoder.frameHeight();
  const count = decoder.frameComponents();
  if (width !== facts.codedWidth || height !== facts.codedHeight || count !== facts.components) {
    throw new JpegDecodeError("CORRUPT", "The frame header is not the one that was probed");
  }
  const components = Array.from({ length: count }, (_, index) => ({
    h: decoder.componentH(index),
    v: decoder.componentV(index),
  }));
  const storage = STORAGES[decoder.storageKind()] ?? "none";
  if ((storage === "coefficients") !== (facts.process === "progressive")) {
    throw new JpegDecodeError("CORRUPT", "The coding process is not the one that was probed");
  }
  const frame = uprightFrame(facts, { width, height, components, storage });
  const sizes =
    scale?.length && planned && isSameFrame(planned, frame)
      ? scale
      : planJpegDecode(frame, out, budget, crop)?.sizes;
  if (!sizes) throw new JpegDecodeError("OUT_OF_MEMORY", `No DCT scale fits ${budget} bytes`);
  const [s0 = 8, s1 = 8, s2 = 8, s3 = 8] = sizes;
  const orientation = isTurnedByDecoder(facts) ? facts.orientation : 1;
  if (crop) decoder.crop(crop.left, crop.top, crop.width, crop.height);
  const fault = decoder.configure(out.width, out.height, orientation, s0, s1, s2, s3);
  if (fault < 0) throw faultOf(fault);
}

const isSameFrame = (planned: JpegFrame, frame: JpegFrame): boolean =>
  planned.width === frame.width &&
  planned.height === frame.height &&
  planned.storage === frame.storage &&
  planned.isUpwards === frame.isUpwards &&
  factorsOf(planned) === factorsOf(frame);

const factorsOf = ({ components }: JpegFrame): string => components.map(({ h, v }) => `${h}x${v}`).join(" ");
