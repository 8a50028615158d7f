/**
 * JPEG in rows: the JavaScript side of assembly/decoder. The file streams through; sequential files are
 * decoded while rows are asked for, progressive ones and those with a scan per component before the first row.
 */
import type { JpegFacts } from "../../../image/model/facts.ts";
import { type BlockSize, planJpegDecode } from "../../../image/formats/jpeg/decoder-memory.ts";
import { isTurnedByDecoder } from "../../../image/model/orientation.ts";
import module from "../../wasm/jpeg-decoder.wasm";
import { DONE, FRAME, NEED_INPUT, ROWS } from "./decoder-status.ts";
import { JpegDecodeError, faultOf } from "./errors.ts";
import {
  STORE_COEFFICIENTS,
  STORE_NOTHING,
  STORE_PLANES,
} from "../../../image/formats/jpeg/decoder-constants.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { type JpegFrame, type JpegStorage, uprightFrame } from "../../../image/formats/jpeg/decoder-frame.ts";

export { JpegDecodeError } from "./errors.ts";

/** The module's exports; see assembly/decoder/index.ts. */
interface Decoder {
  begin(): number;
  inputRoom(): number;
  inputAddress(): number;
  acceptInput(bytes: number): void;
  endInput(): void;
  step(): number;
  frameWidth(): number;
  frameHeight(): number;
  frameComponents(): number;
  componentH(index: number): number;
  componentV(index: number): number;
  storageKind(): number;
  configure(
    width: number,
    height: number,
    orientation: number,
    s0: number,
    s1: number,
    s2: number,
    s3: number,
  ): number;
  rowsAddress(): number;
  rowCount(): number;
  workUnits(): number;
  highWater(): number;
}

const STORAGES: Record<number, JpegStorage> = {
  [STORE_NOTHING]: "none",
  [STORE_PLANES]: "planes",
  [STORE_COEFFICIENTS]: "coefficients",
};
const LAYOUTS = { 1: "gray", 3: "rgb", 4: "cmyk" } as const;

/** What a unit of the module's own count of work is in those of WorkMeter: 1.3 to 1.9 were measured. */
const WORK_PER_UNIT = 1.6;

/** What the plan chose by what the probe told of the frame header. */
export interface PlannedScale {
  scale: readonly BlockSize[];
  frame: JpegFrame;
}

/** Rows of a JPEG, with the arena bytes they took. */
export interface JpegRowSource extends RowSource {
  /** The end of what was allocated in the arena: nothing is freed, so it is the peak. */
  peakBytes(): number;
}

type Body = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** The file, piece by piece, into the module's inbox. */
class Feed {
  readonly #memory: WebAssembly.Memory;
  readonly #decoder: Decoder;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #ended = false;

  constructor(memory: WebAssembly.Memory, decoder: Decoder, body: Body) {
    this.#memory = memory;
    this.#decoder = decoder;
    this.#chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  /** @throws JpegDecodeError when more is asked for than there is */
  async more(): Promise<void> {
    while (this.#rest.length === 0) {
      if (this.#ended) throw new JpegDecodeError("TRUNCATED", "the file ends before the picture does");
      const chunk = await this.#chunks.next();
      if (chunk.done === true) {
        this.#ended = true;
        this.#decoder.endInput();
        return;
      }
      this.#rest = chunk.value;
    }
    const piece = this.#rest.subarray(0, this.#decoder.inputRoom());
    new Uint8Array(this.#memory.buffer).set(piece, this.#decoder.inputAddress());
    this.#decoder.acceptInput(piece.length);
    this.#rest = this.#rest.subarray(piece.length);
  }

  /** Lets go of what was not read: after the last row, or a fault. */
  async cancel(): Promise<void> {
    this.#rest = new Uint8Array();
    await this.#chunks.return?.();
  }
}

class JpegRows implements JpegRowSource {
  readonly width: number;
  readonly height: number;
  readonly #memory: WebAssembly.Memory;
  readonly #decoder: Decoder;
  readonly #feed: Feed;
  readonly #meter: WorkMeter;
  #worked = 0;
  #given = 0;
  #finished = false;

  constructor(
    { memory, work }: RowWorkspace,
    decoder: Decoder,
    feed: Feed,
    out: { width: number; height: number },
  ) {
    this.#memory = memory;
    this.#decoder = decoder;
    this.#feed = feed;
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
   * Steps until the module answers one of `stops`, feeding it and giving turns on the way.
   * @throws JpegDecodeError for a fault
   */
  async run(...stops: number[]): Promise<number> {
    for (;;) {
      const status = this.#decoder.step();
      if (status < 0) throw faultOf(status);
      const units = this.#decoder.workUnits();
      await this.#meter.spend((units - this.#worked) * WORK_PER_UNIT);
      this.#worked = units;
      if (stops.includes(status)) return status;
      if (status === NEED_INPUT) await this.#feed.more();
    }
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#finished) return null;
    const status = await this.run(ROWS, DONE).catch(async (error: unknown) => {
      this.#finished = true;
      await this.#feed.cancel();
      throw error;
    });
    if (status === ROWS) {
      const rows = this.#decoder.rowCount();
      this.#given += rows;
      const bytes = rows * this.width * { gray: 1, rgb: 3, cmyk: 4 }[this.layout];
      return new Uint8Array(this.#memory.buffer, this.#decoder.rowsAddress(), bytes);
    }
    this.#finished = true;
    await this.#feed.cancel();
    if (this.#given !== this.height) throw new JpegDecodeError("CORRUPT", "rows are missing");
    return null;
  }
}

/**
 * Decodes a JPEG at the output size: upright where isTurnedByDecoder says so, else as coded. Components are read at
 * the DCT scale that keeps twice the output's resolution, or less where the memory is short.
 *
 * Layouts: "gray" for one component, "rgb" for three, "cmyk" for four. CMYK is always ink, 0 for none: Adobe's
 * inverted samples are turned around, YCCK is converted.
 * @param facts of the probe; a file that says otherwise is refused
 * @param out of the rows as they are handed out, at most their size as coded
 * @param memoryBudgetBytes bytes of the memory that the decoder may use
 * @throws JpegDecodeError here, or from `next()`
 */
export async function decodeJpeg(
  workspace: RowWorkspace,
  body: Body,
  facts: JpegFacts,
  out: { width: number; height: number },
  memoryBudgetBytes: number,
  planned?: PlannedScale,
): Promise<JpegRowSource> {
  const decoder = instantiate(workspace.memory);
  const feed = new Feed(workspace.memory, decoder, body);
  const rows = new JpegRows(workspace, decoder, feed, out);
  try {
    const fault = decoder.begin();
    if (fault < 0) throw faultOf(fault);
    await rows.run(FRAME);
    configure(decoder, facts, out, memoryBudgetBytes, planned);
    return rows;
  } catch (error) {
    await feed.cancel();
    throw error;
  }
}

function instantiate(memory: WebAssembly.Memory): Decoder {
  const abort = (): never => {
    throw new JpegDecodeError("OUT_OF_MEMORY", "the decoder's memory is at its end");
  };
  return new WebAssembly.Instance(module, { env: { memory, abort } }).exports as unknown as Decoder;
}

/** Lays out the memory for the planned scales, or for others where the file's own frame header is another one. */
function configure(
  decoder: Decoder,
  facts: JpegFacts,
  out: { width: number; height: number },
  budget: number,
  planned?: PlannedScale,
): void {
  const width = decoder.frameWidth();
  const height = decoder.frameHeight();
  const count = decoder.frameComponents();
  if (width !== facts.codedWidth || height !== facts.codedHeight || count !== facts.components) {
    throw new JpegDecodeError("CORRUPT", "the frame header is not the one that was probed");
  }
  const components = Array.from({ length: count }, (_, index) => ({
    h: decoder.componentH(index),
    v: decoder.componentV(index),
  }));
  const storage = STORAGES[decoder.storageKind()] ?? "none";
  if ((storage === "coefficients") !== (facts.process === "progressive")) {
    throw new JpegDecodeError("CORRUPT", "the file is not of the process that was probed");
  }
  const frame = uprightFrame(facts, { width, height, components, storage });
  const sizes =
    planned?.scale.length && isSameFrame(planned.frame, frame)
      ? planned.scale
      : planJpegDecode(frame, out, budget)?.sizes;
  if (!sizes) throw new JpegDecodeError("OUT_OF_MEMORY", `no scale fits ${budget} bytes`);
  const [s0 = 8, s1 = 8, s2 = 8, s3 = 8] = sizes;
  const orientation = isTurnedByDecoder(facts) ? facts.orientation : 1;
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
