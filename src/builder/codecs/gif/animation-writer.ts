/**
 * Encodes frames as GIF. Only the rectangle that changed is written of each frame, and pixels in it that did not
 * change may be transparent. A frame is written when the next one is known, because whether it must be cleared
 * depends on that.
 */
import type { GifAnimationPlan } from "../../../image/formats/gif/encoding.ts";
import type { Span } from "../../emscripten/emscripten.ts";
import type { BuildMemory } from "../../memory/build-memory.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import type { AnimationWriter } from "../../animation/animation.ts";
import { colourTable, fileHead, imageHead, looping, rootBitsOf, TRAILER } from "./output.ts";
import { GifPalettes } from "./palettes.ts";
import { FREE, LzwEncoder, NOISY } from "./lzw-encoder.ts";
import { distanceOf, type Palette } from "./palette.ts";
import { Area, union, whole } from "../../animation/rectangles.ts";
import type { Stage } from "../../animation/frame-buffers.ts";
import { inParts, type Parts } from "../../streams/parts.ts";
import { MULTIPART } from "../../../limits.ts";
import { wholePages } from "../../../image/memory/pages.ts";
import type { Rect } from "../../../image/geometry/size.ts";

/** GIF has no translucent pixels: from this alpha on a pixel is opaque, below it is fully transparent. */
const OPAQUE_FROM = 128;
/**
 * A pixel is not drawn again if its colour is this near to the one shown: squared distance, about two steps per
 * channel.
 */
const UNSEEN = 12;
/** The transparent index is the first one of every table, so that colours can still be appended. */
const TRANSPARENT = 0;
const TRANSPARENT_COLOUR = 0;
/** Work units per pixel. */
const PIXEL_WORK = 60;

type Bytes = Uint8Array<ArrayBuffer>;

export class GifWriter implements AnimationWriter {
  readonly #stage: Stage;
  readonly #size: { width: number; height: number };
  readonly #memory: BuildMemory;
  readonly #meter: WorkMeter;
  readonly #current: Span;
  #pending: Span;
  #before: Span;
  /**
   * The picture in a browser before the pending frame, in the colours of the tables and not the original ones. Null for a
   * sole frame, before which nothing is shown.
   */
  readonly #shown: Span | null;
  /**
   * Indices of the pending frame, in the row codec's memory, which is not used otherwise here. Those of a sole frame are
   * written over its pixels: an index takes the place of half of a pixel that was read before it.
   */
  readonly #ownIndices: Uint16Array<ArrayBuffer> | null;
  readonly #palettes: GifPalettes;
  readonly #unseen: number;
  readonly #lzw = new LzwEncoder();
  #isFirst = true;

  /**
   * @param current where the caller puts each frame before it gives its delay
   */
  constructor(
    { plan, memory, work }: BuildContext,
    { isExact, isSole = false, bufferBytes }: GifAnimationPlan,
    stage: Stage,
    current: Span,
  ) {
    this.#stage = stage;
    this.#size = plan.size;
    this.#memory = memory;
    this.#meter = work;
    this.#current = current;
    const pixels = current.length / 4;
    this.#pending = isSole ? current : stage.reserve(current.length);
    this.#before = isSole ? current : stage.reserve(current.length);
    this.#shown = isSole ? null : stage.reserve(current.length);
    this.#ownIndices = isSole ? null : indicesIn(memory, pixels);
    this.#palettes = new GifPalettes(isExact);
    this.#unseen = isExact ? 0 : UNSEEN;
    memory.meter.hold("buffers").set(bufferBytes);
  }

  write(frames: AsyncIterable<number>, plays: () => number): Parts {
    return inParts(this.#memory, this.#withHead(this.#blocksOf(frames), plays));
  }

  /**
   * Puts the head, which is known last, before the blocks: frames add colours to the file's table. So the blocks are
   * held until they fill a part. From then on the table does not change.
   */
  async *#withHead(blocks: AsyncIterable<Bytes>, plays: () => number): AsyncGenerator<Bytes> {
    const held: Bytes[] = [];
    let heldBytes = 0;
    let stated: number | null = null;
    for await (const block of blocks) {
      if (stated !== null) {
        yield block;
        continue;
      }
      held.push(block);
      heldBytes += block.length;
      this.#memory.holdPart(heldBytes);
      if (heldBytes < MULTIPART.partBytes) continue;
      stated = plays();
      this.#palettes.close();
      yield* this.#head(stated);
      yield* held.splice(0);
    }
    const played = plays();
    if (stated === null) {
      yield* this.#head(played);
      yield* held;
    } else if (played !== stated) {
      // A master that says it after its frames: of several, the last one holds.
      yield looping(played);
    }
    yield TRAILER.slice();
  }

  #head(plays: number): Bytes[] {
    const { colours } = this.#palettes.global;
    const entries = colours.length + 1;
    const table = colourTable([TRANSPARENT_COLOUR, ...colours], entries);
    return [fileHead(this.#size, entries), table, looping(plays)];
  }

  async *#blocksOf(frames: AsyncIterable<number>): AsyncGenerator<Bytes> {
    let pendingDelayMs: number | null = null;
    for await (const delayMs of frames) {
      const pixels = this.#stage.pixels(this.#current);
      hardenEdges(pixels);
      if (pendingDelayMs !== null) yield* this.#frame(pendingDelayMs, pixels);
      this.#stage.pixels(this.#pending).set(pixels);
      pendingDelayMs = delayMs;
      await this.#meter.spend(pixels.length * 2);
    }
    if (pendingDelayMs !== null) yield* this.#frame(pendingDelayMs, null);
  }

  /** Yields the blocks of the pending frame. */
  async *#frame(delayMs: number, next: Uint32Array | null): AsyncGenerator<Bytes> {
    const { width, height } = this.#size;
    const pixels = this.#stage.pixels(this.#pending);
    const before = this.#stage.pixels(this.#before);
    const all = whole(width, height);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    // A pixel that becomes transparent in the next frame can only be removed by clearing the whole rectangle.
    const gone = next && all.bounds((i) => pixels[i] !== 0 && next[i] === 0);
    const changed = isFirst ? all.rect : all.bounds((i) => pixels[i] !== before[i]);
    const area = new Area(width, union(changed, gone) ?? { left: 0, top: 0, width: 1, height: 1 });
    const palette = this.#palettes.choose(area, pixels, isFirst ? null : before);
    const drawn = this.#index(area, pixels, isFirst ? null : before, palette);
    const tight = isFirst ? area.rect : (union(drawn, gone) ?? { ...area.rect, width: 1, height: 1 });
    yield* this.#encode(area.rect, tight, delayMs, palette, gone !== null);
    if (gone) this.#clear(tight, pixels);
    [this.#pending, this.#before] = [this.#before, this.#pending];
    await this.#meter.spend(PIXEL_WORK * area.rect.width * area.rect.height + pixels.length * 4);
  }

  get #indices(): Uint16Array<ArrayBuffer> {
    if (this.#ownIndices) return this.#ownIndices;
    const { buffer, byteOffset, length } = this.#stage.pixels(this.#current);
    return new Uint16Array(buffer, byteOffset, length);
  }

  /** Sets the index of each pixel in the area. @returns the rectangle around the pixels that must be drawn */
  #index(area: Area, pixels: Uint32Array, before: Uint32Array | null, palette: Palette): Rect | null {
    const shown = this.#shown && this.#stage.pixels(this.#shown);
    const indices = this.#indices;
    const { colours } = palette;
    let at = 0;
    return area.bounds((i) => {
      const to = at++;
      const pixel = pixels[i] as number;
      const now = shown ? (shown[i] as number) : 0;
      if (pixel === 0) {
        indices[to] = TRANSPARENT | FREE;
        return false;
      }
      const index = palette.indexOf(pixel) + 1;
      const colour = colours[index - 1] as number;
      // A pixel that did not change would flicker in a colour of another table.
      const isStill = before !== null && pixel === before[i];
      const isFree = now !== 0 && (isStill || isNear(now, pixel, colour, this.#unseen));
      if (isStill) indices[to] = (now === colour ? index : TRANSPARENT) | FREE;
      else indices[to] = isFree ? index | FREE | NOISY : index;
      return !isFree;
    });
  }

  *#encode(laid: Rect, tight: Rect, delayMs: number, palette: Palette, clears: boolean): Generator<Bytes> {
    const indices = this.#cropped(laid, tight);
    const entries = palette.colours.length + 1;
    const isLocal = palette !== this.#palettes.global;
    yield imageHead({
      ...tight,
      delayMs,
      transparent: indices.some((index) => (index & FREE) !== 0) ? TRANSPARENT : null,
      clears,
      localEntries: isLocal ? entries : 0,
    });
    if (isLocal) yield colourTable([TRANSPARENT_COLOUR, ...palette.colours], entries);
    yield* this.#lzw.encode(indices, rootBitsOf(entries), TRANSPARENT);
    this.#show(tight, indices, palette.colours);
  }

  /** Notes what a browser shows after the frame was drawn. */
  #show(tight: Rect, indices: Uint16Array, colours: readonly number[]): void {
    if (!this.#shown) return;
    const shown = this.#stage.pixels(this.#shown);
    let at = 0;
    new Area(this.#size.width, tight).each((i) => {
      const index = indices[at++] as number;
      if (index !== TRANSPARENT) shown[i] = colours[index - 1] as number;
    });
  }

  #cropped(laid: Rect, tight: Rect): Uint16Array {
    const indices = this.#indices;
    let to = 0;
    for (let y = tight.top - laid.top; y < tight.top - laid.top + tight.height; y++) {
      const from = y * laid.width + tight.left - laid.left;
      indices.copyWithin(to, from, from + tight.width);
      to += tight.width;
    }
    return indices.subarray(0, to);
  }

  /** Clears the rectangle of the frame in what is shown, as the browser does before the next frame. */
  #clear({ left, top, width, height }: Rect, pixels: Uint32Array): void {
    if (!this.#shown) return;
    const shown = this.#stage.pixels(this.#shown);
    for (let y = top; y < top + height; y++) {
      const from = y * this.#size.width + left;
      shown.fill(0, from, from + width);
      pixels.fill(0, from, from + width);
    }
  }
}

/** Returns an array with one index per pixel. @throws CodecMemoryError when there is no memory for it */
function indicesIn({ rowCodec, meter }: BuildMemory, pixels: number): Uint16Array<ArrayBuffer> {
  rowCodec.growTo(pixels * Uint16Array.BYTES_PER_ELEMENT);
  meter.raise("rowCodec", wholePages(pixels * Uint16Array.BYTES_PER_ELEMENT));
  return new Uint16Array(rowCodec.memory.buffer, 0, pixels);
}

/** Returns whether the colour shown can stay: it is as near to the pixel's colour as the new one, or near enough. */
function isNear(shown: number, pixel: number, colour: number, unseen: number): boolean {
  const distance = distanceOf(shown, pixel);
  return distance <= unseen || distance <= distanceOf(colour, pixel);
}

function hardenEdges(pixels: Uint32Array): void {
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i] as number;
    pixels[i] = pixel >>> 24 >= OPAQUE_FROM ? pixel | 0xff00_0000 : 0;
  }
}
