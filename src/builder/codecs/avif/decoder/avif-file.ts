/** The file of an AVIF master in the arena, and the rows of its picture. */
import type { AvifFacts } from "../../../../image/model/facts.ts";
import type { Rect } from "../../../../image/geometry/size.ts";
import type { Span } from "../../../emscripten/emscripten.ts";
import type { Arena } from "../../../memory/arena.ts";
import type { RowSource } from "../../../pixels/row-source.ts";
import type { RowWorkspace } from "../../../scheduling/row-workspace.ts";
import { arenaWorkspace, type BuildContext } from "../../../streams/build-context.ts";
import { readAll } from "../../../streams/source.ts";
import { codedCrop } from "../coded-crop.ts";
import { FAULT_OUT_OF_MEMORY } from "../decoder-status.ts";
import { readGrid, readSingle } from "../grid-file.ts";
import { AvifRows } from "./avif-rows.ts";
import { faultOf } from "./errors.ts";
import { type Av1DecoderExports, newAv1Decoder } from "./module.ts";

/** A master in the arena. */
export class AvifFile {
  readonly span: Span;
  readonly #arena: Arena;
  readonly #workspace: RowWorkspace;
  readonly #holder: Av1DecoderExports;

  private constructor(arena: Arena, workspace: RowWorkspace, holder: Av1DecoderExports, span: Span) {
    this.#arena = arena;
    this.#workspace = workspace;
    this.#holder = holder;
    this.span = span;
  }

  /**
   * Reads the master into the arena.
   * @throws SourceLost when it does not arrive
   * @throws Av1DecodeError when it does not fit
   */
  static async read(context: BuildContext): Promise<AvifFile> {
    const workspace = arenaWorkspace(context);
    const { arena } = context.memory;
    const { source } = context;
    const holder = newAv1Decoder(workspace.memory);
    const pointer = holder.allocateItem(source.byteLength);
    if (pointer === 0) throw faultOf(FAULT_OUT_OF_MEMORY);
    const span = { pointer, length: source.byteLength };
    await readAll(source.stream, (chunk, offset) => arena.bytes(span).set(chunk, offset));
    return new AvifFile(arena, workspace, holder, span);
  }

  /**
   * Opens the picture, whose rows are then handed out. The clean aperture is applied, orientation is not.
   * @param part the rectangle within the clean aperture to hand out; null for all of it
   * @param mostBytes that the arena may be filled up to
   * @throws InvalidImageError | CodecError | Av1DecodeError here or from `next`, when the file is damaged, does not fit, or,
   *   here alone, is not supported
   */
  open(facts: AvifFacts, part: Rect | null, mostBytes: number): Promise<RowSource> {
    const file = this.#arena.bytes(this.span);
    const tables = facts.grid ? readGrid(file, facts) : readSingle(file, facts);
    const { codedWidth: tileWidth, codedHeight: tileHeight } = facts;
    const shape = facts.grid ?? { rows: 1, columns: 1, tileWidth, tileHeight };
    return AvifRows.open({
      room: { arena: this.#arena, mostBytes },
      workspace: this.#workspace,
      holder: this.#holder,
      fileAddress: this.span.pointer,
      facts,
      tables,
      shape,
      crop: codedCrop(facts, part),
    });
  }
}
