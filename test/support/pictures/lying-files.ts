/** Uploads of files that lie about their contents, and the outcomes that they must have. */
import sharp from "sharp";
import { expect } from "vitest";
import { bearer, newSpace, picture, upload, variantOf, type Space } from "../../../scripts/harness/api.ts";
import { photo, pixels, psnr } from "./draw.ts";

const POLL_MS = 50;
const SOUND_WIDTH = 128;

export interface Posted {
  status: number;
  code?: string;
  id?: string;
  url?: string;
}

export class LyingFiles {
  readonly #space: Space;
  /** A file that is what it says: it must be built right after each of the others. */
  readonly #sound: Buffer;
  /** Its pixels at `SOUND_WIDTH`, by sharp. */
  readonly #soundPixels: Buffer;

  private constructor(space: Space, sound: Buffer, soundPixels: Buffer) {
    this.#space = space;
    this.#sound = sound;
    this.#soundPixels = soundPixels;
  }

  static async in(service: { base: string; rootToken: string }): Promise<LyingFiles> {
    const sound = await photo(320, 240).jpeg({ quality: 90 }).toBuffer();
    const soundPixels = await sharp(sound).resize(SOUND_WIDTH).ensureAlpha().raw().toBuffer();
    return new LyingFiles(await newSpace(service), sound, soundPixels);
  }

  async post(file: Uint8Array, name = "x"): Promise<Posted> {
    const response = await fetch(`${this.#space.api}/media`, {
      method: "POST",
      headers: { ...bearer(this.#space.key), "X-Filename": name, "Content-Type": "image/png" },
      body: new Uint8Array(file),
    });
    const { data, error } = (await response.json()) as {
      data?: { id: string; url: string };
      error?: { code: string };
    };
    return { status: response.status, ...data, ...(error && { code: error.code }) };
  }

  /** Returns the state of a variant once its builds are over; the status where it is not a redirect. */
  async settled(id: string, query: string): Promise<string> {
    for (;;) {
      const { status, state } = await picture(this.#space, id, query);
      if (status !== 302) return String(status);
      if (state !== "queued" && state !== "coalesced") return state ?? "master";
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async expectNextIsRight(name: string): Promise<void> {
    const next = await upload(this.#space, this.#sound);
    const { bytes } = await variantOf(this.#space, next.id, `w=${SOUND_WIDTH}&fm=png`);
    expect(psnr((await pixels(bytes)).data, this.#soundPixels), `after ${name}`).toBeGreaterThan(38);
  }

  /**
   * Checks that the upload refuses the file, or that every variant of it is the master, and that the next build is
   * right.
   */
  async expectNoPart(
    file: Uint8Array,
    name: string,
    formats = ["png", "webp"],
  ): Promise<"refused" | "unavailable"> {
    const { status, code, id = "" } = await this.post(file);
    let outcome: "refused" | "unavailable" = "refused";
    if (status === 201) {
      outcome = "unavailable";
      for (const format of formats)
        expect(await this.settled(id, `w=64&fm=${format}`), `${name} as ${format}`).toBe("unavailable");
    } else {
      expect([status, code], name).toEqual([400, expect.stringMatching(/^(?:INVALID_IMAGE|SVG_REJECTED)$/)]);
    }
    await this.expectNextIsRight(name);
    return outcome;
  }
}
