/** Reads the blocks of a GIF (GIF87a, GIF89a) as its bytes arrive. */
import type { ByteFeed, Parsing } from "../../../image/bytes/byte-feed.ts";
import { latin1, u16le } from "../../../image/bytes/numbers.ts";
import { AnimationError, type Disposal, type FrameHead } from "../../animation/animation.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const OPAQUE = 0xff00_0000;
/** Most blocks of a file. A file of very many small blocks would keep the builder busy. */
const MAX_BLOCKS = 262_144;

/**
 * The disposal methods of a graphic control extension (GIF89a section 23). 4 to 7 are undefined and treated as
 * "keep".
 */
const DISPOSALS: readonly Disposal[] = ["keep", "keep", "clear", "restore"];

/** 256 pixels by index. A pixel of 0 is not drawn: that of the transparent index, and of indices beyond the table. */
export type Palette = Uint32Array;

export interface GifScreen {
  width: number;
  height: number;
  /** The global colour table; null if there is none. */
  palette: Uint32Array | null;
}

/** An image descriptor (section 20) with the graphic control before it (section 23). */
export interface GifImage extends FrameHead {
  delayMs: number;
  interlaced: boolean;
  palette: Palette;
  /** Bits of the LZW roots. The data sub-blocks follow them in the file. */
  rootBits: number;
}

export function* readScreen(feed: ByteFeed): Parsing<GifScreen> {
  const head = yield* feed.take(13, "GIF logical screen descriptor");
  if (!/^GIF8[79]a$/.test(latin1(head, 0, 6)))
    throw new AnimationError("The file does not begin as a GIF does");
  return {
    width: u16le(head, 6),
    height: u16le(head, 8),
    palette: yield* readColourTable(feed, head[10] as number, "GIF global colour table"),
  };
}

/** Reads blocks up to each image. */
export class GifBlocks {
  readonly #feed: ByteFeed;
  readonly #screen: GifScreen;
  #blocks = 0;
  #hasImage = false;
  #plays = 1;

  constructor(feed: ByteFeed, screen: GifScreen) {
    this.#feed = feed;
    this.#screen = screen;
  }

  /**
   * How often browsers play the animation; 0 for endlessly. It is 1 without a Netscape extension. That extension counts
   * the repetitions after the first time, and its 0 means endlessly.
   */
  get plays(): number {
    return this.#plays;
  }

  /**
   * Reads up to the data of the next image. Null at the trailer, and after the first image also at the end of the file
   * and at a byte that begins no block, as the probe reads it. @throws AnimationError | InvalidImageError
   */
  *next(): Parsing<GifImage | null> {
    const feed = this.#feed;
    let control: Uint8Array | null = null;
    for (;;) {
      if (++this.#blocks > MAX_BLOCKS) throw new AnimationError(`The GIF has more than ${MAX_BLOCKS} blocks`);
      if (this.#hasImage && !(yield* feed.hasMore())) return null;
      const introducer = yield* feed.byte("GIF, before its trailer");
      if (introducer === IMAGE) {
        this.#hasImage = true;
        return yield* this.#image(control);
      }
      if (introducer !== EXTENSION) {
        if (introducer === TRAILER || this.#hasImage) return null;
        throw new AnimationError(`The GIF has no block at byte ${feed.position - 1}`);
      }
      const label = yield* feed.byte("GIF extension");
      if (label === GRAPHIC_CONTROL) control = yield* readGraphicControl(feed);
      else if (label === APPLICATION) yield* this.#application();
      else yield* skipSubBlocks(feed);
    }
  }

  *#image(control: Uint8Array | null): Parsing<GifImage> {
    const feed = this.#feed;
    const head = yield* feed.take(9, "GIF image descriptor");
    const flags = head[8] as number;
    const table = (yield* readColourTable(feed, flags, "GIF local colour table")) ?? this.#screen.palette;
    if (!table) throw new AnimationError("A GIF image has no colour table");
    const palette = new Uint32Array(256);
    palette.set(table);
    const controlFlags = control?.[0] ?? 0;
    if (control && controlFlags & 1) palette[control[3] as number] = 0;
    return {
      left: u16le(head, 0),
      top: u16le(head, 2),
      width: u16le(head, 4),
      height: u16le(head, 6),
      disposal: DISPOSALS[(controlFlags >> 2) & 7] ?? "keep",
      delayMs: control ? u16le(control, 1) * 10 : 0,
      interlaced: (flags & 0x40) !== 0,
      palette,
      rootBits: yield* feed.byte("GIF image data"),
    };
  }

  /** Reads the Netscape looping extension, which some programs write as ANIMEXTS. */
  *#application(): Parsing<void> {
    const feed = this.#feed;
    const size = yield* feed.byte("GIF extension");
    const name = latin1(yield* feed.take(size, "GIF extension"));
    if (name !== "NETSCAPE2.0" && name !== "ANIMEXTS1.0")
      return size > 0 ? yield* skipSubBlocks(feed) : undefined;
    for (;;) {
      const length = yield* feed.byte("GIF extension");
      if (length === 0) return;
      const block = yield* feed.take(length, "GIF extension");
      if (length < 3 || ((block[0] as number) & 7) !== 1) continue;
      const repetitions = u16le(block, 1);
      this.#plays = repetitions === 0 ? 0 : repetitions + 1;
    }
  }
}

function* readGraphicControl(feed: ByteFeed): Parsing<Uint8Array> {
  const size = yield* feed.byte("GIF extension");
  if (size !== 4) throw new AnimationError(`The GIF graphic control extension has ${size} bytes, not 4`);
  const control = yield* feed.take(size, "GIF extension");
  yield* skipSubBlocks(feed);
  return control;
}

function* readColourTable(feed: ByteFeed, flags: number, where: string): Parsing<Uint32Array | null> {
  if (!(flags & 0x80)) return null;
  const entries = 2 << (flags & 7);
  const bytes = yield* feed.take(entries * 3, where);
  const at = (i: number): number => bytes[i] as number;
  return Uint32Array.from({ length: entries }, (_, entry) => {
    const i = entry * 3;
    return (OPAQUE | (at(i + 2) << 16) | (at(i + 1) << 8) | at(i)) >>> 0;
  });
}

/** Skips data sub-blocks, each a length and that many bytes, and the empty one that ends them (section 15). */
export function* skipSubBlocks(feed: ByteFeed): Parsing<void> {
  for (;;) {
    const size = yield* feed.byte("GIF data");
    if (size === 0) return;
    yield* feed.skip(size, "GIF data");
  }
}
