/** A master's colours to those of its variant: its colour metadata is read while the file streams past, and applied to its rows. */
import type { MasterFormat } from "../../image/formats/registry.ts";
import type { ColourPlan } from "../../image/plan/build-plan.ts";
import { ByteFeed, type Parsing } from "../../image/bytes/byte-feed.ts";
import type { Held } from "../memory/memory-meter.ts";
import type { RowSource } from "../pixels/row-source.ts";
import type { WorkMeter } from "../scheduling/work-meter.ts";
import type { BuildContext } from "../streams/build-context.ts";
import { conversionFor } from "./conversion.ts";
import type { SourceColourSpace } from "../../image/colour/icc-profile.ts";
import { BT709, decode, toPcs } from "../../image/colour/srgb.ts";
import { colourSpaceOf } from "../../image/formats/colour-space.ts";
import { inflateProfile } from "./png-profile.ts";
import { press } from "./default-cmyk.ts";
import type { ColourMetadata } from "../../image/formats/colour-metadata.ts";
import { readColourMetadata } from "../../image/formats/raster.ts";
import type { Conversion } from "./row-conversion.ts";

/** The samples of a master that states nothing. */
const SRGB: SourceColourSpace = { kind: "matrix", curves: [decode, decode, decode], toXyz: toPcs(BT709) };

const CHANNELS = { gray: 1, "gray-alpha": 1, rgb: 3, rgba: 3, cmyk: 4 } as const;

export class MasterColour {
  readonly #format: MasterFormat;
  readonly #plan: ColourPlan;
  readonly #held: Held;
  readonly #work: WorkMeter;
  #metadata: ColourMetadata = {};
  /** Null when there is none, undefined while it is not known. All rows of a build have one layout. */
  #conversion: Conversion | null | undefined;
  #profileBytes = 0;

  constructor({ facts, plan, memory, work }: BuildContext) {
    this.#format = facts.format;
    this.#plan = plan.colour;
    this.#held = memory.meter.hold("colour");
    this.#work = work;
  }

  /** Returns the master, unchanged. Its metadata is known once a decoder has read as far as the pixels. */
  watch(master: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    if (this.#plan.profile === "none") return master;
    const feed = new ByteFeed();
    let parsing: Parsing<ColourMetadata> | null = readColourMetadata(feed, this.#format);
    if (!parsing) return master;
    const notice = (chunk: Uint8Array): void => {
      if (!parsing) return;
      feed.give(chunk);
      try {
        const step = parsing.next();
        if (!step.done) return;
        this.#metadata = step.value;
      } catch {
        // The probe or the decoder reports a broken file. A file without colour metadata is sRGB.
      }
      parsing = null;
    };
    return noticed(master, notice);
  }

  /**
   * Returns rows in the planned gamut, which is sRGB unless the plan names another. A profile that is broken, or does not
   * apply to such rows, counts as sRGB, as in libvips.
   */
  converted(source: RowSource): RowSource {
    const { profile } = this.#plan;
    if (profile === "none" && source.layout !== "cmyk") return source;
    const { width, height, layout } = source;
    return {
      width,
      height,
      layout: layout === "cmyk" ? "rgb" : layout,
      next: async () => {
        const rows = await source.next();
        if (!rows) return null;
        // Only now has every decoder come as far as the pixels.
        if (this.#conversion === undefined) this.#conversion = await this.#find(layout);
        const conversion = this.#conversion;
        return conversion ? rows.subarray(0, conversion.convert(rows)) : rows;
      },
    };
  }

  async #find(layout: RowSource["layout"]): Promise<Conversion | null> {
    const { isGray, gamut = "srgb" } = this.#plan;
    const stated = await this.#meaning(isGray ? 1 : CHANNELS[layout]);
    this.#metadata = {};
    const meaning = stated ?? (gamut === "srgb" || layout === "cmyk" ? null : SRGB);
    const conversion =
      (meaning && conversionFor(meaning, layout, gamut)) ?? (layout === "cmyk" ? press(gamut) : null);
    const tableBytes = conversion?.bytes ?? 0;
    // The tables are made from the profile, which is released then.
    this.#held.set(this.#profileBytes + tableBytes);
    this.#held.set(tableBytes);
    return conversion;
  }

  async #meaning(channels: 1 | 3 | 4): Promise<SourceColourSpace | null> {
    const { iccChunk, ...stated } = this.#metadata;
    const { profile } = this.#plan;
    const icc =
      profile === "icc" ? (stated.icc ?? (iccChunk && (await inflateProfile(iccChunk, this.#work)))) : null;
    if (icc) {
      this.#held.set(icc.length + (iccChunk?.length ?? 0));
      this.#profileBytes = icc.length;
    }
    return colourSpaceOf({ format: this.#format, profile, channels }, icc ? { ...stated, icc } : stated);
  }
}

function noticed(
  master: ReadableStream<Uint8Array>,
  notice: (chunk: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const reader = master.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        notice(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
