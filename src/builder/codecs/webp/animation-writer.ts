/**
 * Encodes frames as animated WebP (RFC 9649 section 2.7.1.1). Only the rectangle that changed is written of each
 * frame, at even offsets as the format requires. Where possible, blocks in it that did not change are transparent.
 */
import type { Span } from "../../emscripten/emscripten.ts";
import type { BuildMemory } from "../../memory/build-memory.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import type { WebpAnimationOptions } from "../../../image/formats/webp/encoder-options.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import type { AnimationWriter } from "../../animation/animation.ts";
import { Area, Blocks, middleOf, type Patch, whole } from "../../animation/rectangles.ts";
import type { Stage } from "../../animation/frame-buffers.ts";
import { chunk, extendedHead, pictureChunks, putLittle, riffHead } from "./chunks.ts";
import { type Embedded, embeddedBy } from "../../metadata/embedded.ts";
import { trailing, withFlags } from "./embed.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import { heldParts, type Parts } from "../../streams/parts.ts";

const DELAY_MAX = 0xff_ffff;
const PLAYS_MAX = 0xffff;
const NOT_BLENDED = 2;
/** From this share of unchanged blocks on, an alpha channel that hides them costs less than they do. */
const WORTH_BLENDING = 0.2;
/** Pixels per side of the square of the first frame that shows which kind of encoding is smaller. */
const SAMPLE_SIDE = 400;

export class WebpWriter implements AnimationWriter {
  readonly #stage: Stage;
  readonly #embedded: Embedded;
  readonly #size: { width: number; height: number };
  readonly #options: WebpAnimationOptions;
  readonly #memory: BuildMemory;
  readonly #meter: WorkMeter;
  readonly #current: Span;
  readonly #before: Span;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  #isLossless = false;
  #hasAlpha = false;

  /** @param current where the caller puts each frame before it gives its delay */
  constructor(
    { plan, memory, work }: BuildContext,
    options: WebpAnimationOptions,
    stage: Stage,
    current: Span,
  ) {
    this.#stage = stage;
    this.#embedded = embeddedBy(plan);
    this.#size = plan.size;
    this.#options = options;
    this.#memory = memory;
    this.#meter = work;
    this.#current = current;
    this.#before = stage.reserve(current.length);
  }

  /** Writes the file. Its first bytes state its length, so it is held whole before it is sent. */
  async *write(frames: AsyncIterable<number>, plays: () => number): Parts {
    for await (const delayMs of frames) await this.#add(delayMs);
    return yield* heldParts(this.#memory, this.#finish(plays()));
  }

  async #add(delayMs: number): Promise<void> {
    const pixels = this.#stage.pixels(this.#current);
    const isFirst = this.#pieces.length === 0;
    const patch = isFirst ? this.#firstPatch() : this.#patch();
    await this.#meter.yield();
    if (isFirst && this.#options.mayBeLossless) this.#isLossless = await this.#isSmallerLossless(patch);
    const picture = this.#encode(patch, this.#isLossless);
    this.#put(patch, delayMs, picture);
    this.#keep(patch);
    await this.#meter.spend(pixels.length * 4);
  }

  #finish(plays: number): Uint8Array<ArrayBuffer>[] {
    const loop = new Uint8Array(6);
    putLittle(loop, 4, Math.min(plays, PLAYS_MAX), 2);
    const extended = extendedHead(this.#size, { animation: true, alpha: this.#hasAlpha });
    const head = [withFlags(extended, this.#embedded), chunk("ANIM", loop)];
    const after = trailing(this.#embedded);
    const length = [...head, ...after].reduce((sum, bytes) => sum + bytes.length, this.#bytes);
    return [riffHead(length), ...head, ...this.#pieces, ...after];
  }

  #firstPatch(): Patch {
    const { width, height } = this.#size;
    const pixels = this.#stage.pixels(this.#current);
    const hasAlpha = whole(width, height).bounds((i) => (pixels[i] as number) >>> 24 !== 255) !== null;
    return { rect: { left: 0, top: 0, width, height }, drawn: "all", hasAlpha };
  }

  /** Finds what must be written of the current frame, after the one before. */
  #patch(): Patch {
    const { width, height } = this.#size;
    const pixels = this.#stage.pixels(this.#current);
    const before = this.#stage.pixels(this.#before);
    const tolerance = this.#isLossless ? 0 : this.#options.tolerance;
    const isChanged = (i: number): boolean => differs(pixels[i] as number, before[i] as number, tolerance);
    const rect = evenly(whole(width, height).bounds(isChanged) ?? { left: 0, top: 0, width: 1, height: 1 });
    const seen = { alpha: false, changedAlpha: false };
    new Area(width, rect).each((i) => {
      if ((pixels[i] as number) >>> 24 === 255) return;
      seen.alpha = true;
      seen.changedAlpha ||= isChanged(i);
    });
    const hasAlpha = seen.alpha;
    // A pixel that becomes less opaque must replace the one before: blending cannot make it so.
    if (seen.changedAlpha) return { rect, drawn: "all", hasAlpha };
    if (this.#isLossless) return { rect, drawn: "changed", hasAlpha: true };
    // A block that is drawn must be opaque, to cover the one below it.
    if (hasAlpha || !this.#options.mayMask) return { rect, drawn: "all", hasAlpha };
    const blocks = new Blocks(width, rect, isChanged);
    const isWorthIt = 1 - blocks.share >= WORTH_BLENDING;
    return isWorthIt ? { rect, drawn: blocks, hasAlpha: true } : { rect, drawn: "all", hasAlpha };
  }

  /**
   * Returns whether lossless encoding makes the file smaller, as it often does for graphics. Tried on the middle of the
   * first frame.
   */
  async #isSmallerLossless(patch: Patch): Promise<boolean> {
    const middle = { ...patch, rect: middleOf(patch.rect, SAMPLE_SIDE) };
    const lossy = lengthOf(this.#encode(middle, false));
    await this.#meter.yield();
    const lossless = lengthOf(this.#encode(middle, true));
    await this.#meter.yield();
    return lossless <= lossy;
  }

  #encode({ rect, drawn }: Patch, isLossless: boolean): { type: string; bytes: Uint8Array<ArrayBuffer> }[] {
    const { width, height } = rect;
    return this.#stage.run("webp-encoder", (codec) => {
      const input = codec.malloc(width * height * 4);
      this.#lay(codec.bytes(input), rect, drawn);
      const settings = isLossless ? this.#options.lossless : this.#options.lossy;
      const file = codec.call("encode", input, width, height, codec.options(settings));
      return pictureChunks(codec.bytes(file)).map(({ type, bytes }) => ({ type, bytes: bytes.slice() }));
    });
  }

  /** Copies the rectangle's pixels for the encoder. Makes new views, because the memory may have grown. */
  #lay(bytes: Uint8Array<ArrayBuffer>, rect: Rect, drawn: Patch["drawn"]): void {
    const target = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    const pixels = this.#stage.pixels(this.#current);
    const before = this.#stage.pixels(this.#before);
    let to = 0;
    for (let y = 0; y < rect.height; y++) {
      const row = (rect.top + y) * this.#size.width + rect.left;
      for (let x = 0; x < rect.width; x++) {
        const pixel = pixels[row + x] as number;
        const isDrawn =
          drawn === "all" || (drawn === "changed" ? pixel !== before[row + x] : drawn.has(x, y));
        // The lossy encoder makes transparent blocks flat. Keeping their colour avoids artefacts in the blocks beside
        // them.
        target[to++] = isDrawn ? pixel : drawn === "changed" ? 0 : pixel & 0xff_ffff;
      }
    }
  }

  /** Notes which blocks were drawn, so that small changes of the others do not add up unnoticed. */
  #keep({ rect, drawn }: Patch): void {
    const pixels = this.#stage.pixels(this.#current);
    const before = this.#stage.pixels(this.#before);
    for (let y = 0; y < rect.height; y++) {
      const row = (rect.top + y) * this.#size.width + rect.left;
      for (let x = 0; x < rect.width; x++) {
        if (drawn instanceof Blocks && !drawn.has(x, y)) continue;
        before[row + x] = pixels[row + x] as number;
      }
    }
  }

  #put({ rect, drawn, hasAlpha }: Patch, delayMs: number, picture: { bytes: Uint8Array }[]): void {
    const head = new Uint8Array(16);
    putLittle(head, 0, rect.left / 2, 3);
    putLittle(head, 3, rect.top / 2, 3);
    putLittle(head, 6, rect.width - 1, 3);
    putLittle(head, 9, rect.height - 1, 3);
    putLittle(head, 12, Math.min(Math.round(delayMs), DELAY_MAX), 3);
    head[15] = drawn === "all" ? NOT_BLENDED : 0;
    const piece = chunk("ANMF", head, ...picture.map(({ bytes }) => bytes));
    this.#pieces.push(this.#memory.keep(piece));
    this.#bytes += piece.length;
    this.#hasAlpha ||= hasAlpha;
  }
}

/** Returns the rectangle enlarged to even offsets, because the file stores offsets halved (section 2.7.1.1). */
function evenly({ left, top, width, height }: Rect): Rect {
  const [x, y] = [left & ~1, top & ~1];
  return { left: x, top: y, width: left + width - x, height: top + height - y };
}

function differs(a: number, b: number, tolerance: number): boolean {
  if (a === b) return false;
  if (tolerance === 0 || a >>> 24 !== b >>> 24) return true;
  for (let shift = 0; shift < 24; shift += 8) {
    if (Math.abs(((a >>> shift) & 255) - ((b >>> shift) & 255)) > tolerance) return true;
  }
  return false;
}

const lengthOf = (picture: { bytes: Uint8Array }[]): number =>
  picture.reduce((sum, { bytes }) => sum + bytes.length, 0);
