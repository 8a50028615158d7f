/** The memories of an isolate, which one build at a time has to itself. */
import { type BuildBytes, MEMORY, type MemoryBytes } from "../../image/memory/isolate.ts";
import { ISOLATE, MULTIPART } from "../../limits.ts";
import { Arena } from "./arena.ts";
import { type Held, MemoryMeter, type MemoryPart } from "./memory-meter.ts";
import { SmallMemory } from "./small-memory.ts";
import { SpareMemory } from "./spare-memory.ts";
import { CodecMemoryError } from "../emscripten/errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Memories whose upper end a variant may be held in. */
const SHARED = ["arena", "rowCodec"] as const satisfies MemoryPart[];

export class BuildMemory {
  readonly arena: Arena;
  readonly resampler = new SmallMemory(MEMORY.resamplerMaxBytes);
  readonly rowCodec = new SmallMemory(MEMORY.rowCodecMaxBytes);
  readonly meter = new MemoryMeter();
  readonly #spare = new SpareMemory();
  #kept: Held = this.meter.hold("output");
  #keptBytes = 0;
  #part: Held = this.meter.hold("output");
  /** The bytes to which the build at hand may bring the isolate. */
  budgetBytes: number = ISOLATE.buildBytes;

  constructor(arenaMaxBytes: number = MEMORY.arenaMaxBytes) {
    this.arena = new Arena(arenaMaxBytes);
  }

  /** Begins a build of `planned` bytes. Its variant may use the grown memories that it does not need itself. */
  begin(planned: BuildBytes): void {
    for (const part of SHARED) this.#spare.offer(part, this[part], planned[part]);
  }

  /** The bytes that the isolate's WebAssembly memories occupy, however little of them a build uses. */
  get memoryBytes(): MemoryBytes {
    return {
      arena: this.arena.byteLength,
      resampler: this.resampler.memory.buffer.byteLength,
      rowCodec: this.rowCodec.memory.buffer.byteLength,
    };
  }

  /** The rest of the budget beside the memories and the bytes that are held outside of them. */
  get roomBytes(): number {
    const { arena, resampler, rowCodec } = this.memoryBytes;
    return this.budgetBytes - arena - resampler - rowCodec - this.meter.bufferBytes;
  }

  /** Returns whether the budget has room for an arena of `arenaBytes` and for `bytes` outside of the memories. */
  hasRoomFor(arenaBytes: number, bytes: number): boolean {
    return Math.max(0, arenaBytes - this.arena.byteLength) + bytes <= this.roomBytes;
  }

  /** Notes the most that the arena took. */
  countArena(): void {
    this.meter.raise("arena", this.arena.takePeak());
  }

  /**
   * Holds a piece of the variant: as it is, which the caller gives away, or in memories that lie idle.
   * @throws CodecMemoryError when there is no room for it
   */
  keep(piece: Bytes): Bytes {
    const held = this.#inSpare(piece);
    if (!held) this.#keepOutside(piece.length);
    return held ?? piece;
  }

  /** Holds a copy of `view`, and returns it. */
  keepCopy(view: Uint8Array): Bytes {
    const held = this.#inSpare(view);
    if (!held) this.#keepOutside(view.length);
    return held ?? Uint8Array.from(view);
  }

  /**
   * Puts bytes in spare memory; null where there is room outside, beside the part in which those held here are sent.
   */
  #inSpare(bytes: Uint8Array): Bytes | null {
    const isRoomy = !this.#spare.isOffered || this.roomBytes >= bytes.length + MULTIPART.partBytes;
    return isRoomy ? null : this.#spare.hold(bytes);
  }

  #keepOutside(bytes: number): void {
    this.#kept.set((this.#keptBytes += bytes));
    this.demandRoom();
  }

  /** Returns whether `piece` is held in a memory, and is to be copied before the build ends. */
  isInSpare(piece: Bytes): boolean {
    return this.#spare.isHeldHere(piece);
  }

  /** Gives back what a piece takes outside of the memories, once it was copied. */
  letGo(piece: Bytes): void {
    if (this.isInSpare(piece)) return;
    this.#keptBytes = Math.max(0, this.#keptBytes - piece.length);
    this.#kept.set(this.#keptBytes);
    piece.buffer.transfer(0);
  }

  /** Notes that the part on its way out has so many bytes. @throws CodecMemoryError when there is no room for it */
  holdPart(bytes: number): void {
    this.#part.set(bytes);
    this.demandRoom();
  }

  /** @throws CodecMemoryError when more is held than the isolate has for this build */
  demandRoom(): void {
    if (this.roomBytes < 0) throw new CodecMemoryError("the variant is too large to be held");
  }

  /** @throws CodecMemoryError when a codec took more than was planned, and may have written over the variant */
  demandIntact(): void {
    this.countArena();
    const isReached = SHARED.some((part) => this.#spare.isReached(part, this.meter.mostOfMemory(part)));
    if (isReached) throw new CodecMemoryError("a codec took the memory that the variant was held in");
  }

  /** Leaves nothing of a build behind. */
  clear(): void {
    this.arena.reset();
    this.resampler.reset();
    this.rowCodec.reset();
    this.#spare.clear();
    this.meter.clear();
    this.#kept = this.meter.hold("output");
    this.#keptBytes = 0;
    this.#part = this.meter.hold("output");
    this.budgetBytes = ISOLATE.buildBytes;
  }
}
