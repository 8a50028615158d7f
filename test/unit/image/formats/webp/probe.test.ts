import { describe, expect, it } from "vitest";
import { bytes, exifBlock } from "../../../../../scripts/samples/probe/bytes.ts";
import { outcomeOf, probe } from "../../../../../scripts/harness/probe-run.ts";
import {
  anim,
  animation,
  anmf,
  FLAGS,
  riffChunk,
  vp8,
  vp8l,
  vp8x,
  webpOf,
} from "../../../../../scripts/samples/probe/webp.ts";

describe("readWebp", () => {
  it("reads the simple formats", () => {
    expect(probe(webpOf(vp8(40, 30)))).toMatchObject({
      width: 40,
      height: 30,
      lossless: false,
      hasAlpha: false,
    });
    expect(probe(webpOf(vp8l(16384, 1)))).toMatchObject({
      width: 16384,
      height: 1,
      lossless: true,
      hasAlpha: false,
    });
    expect(probe(webpOf(vp8l(4, 3, true)))).toMatchObject({ hasAlpha: true });
  });

  it("reads the extended format with its metadata, and only there", () => {
    const icc = riffChunk("ICCP", "profile");
    const exif = riffChunk("EXIF", exifBlock(6));
    const extended = webpOf(vp8x(FLAGS.icc | FLAGS.exif), icc, vp8(), exif);
    expect(probe(extended)).toMatchObject({
      profile: "icc",
      orientation: 1,
      width: 4,
      height: 3,
    });
    expect(probe(webpOf(vp8x(FLAGS.exif), icc, vp8()))).toMatchObject({ profile: "none" });
    expect(probe(webpOf(vp8(), icc, exif))).toMatchObject({ profile: "none", orientation: 1 });
  });

  it("sees alpha in the flag and in the lossless picture, but not in an ALPH that the flag does not announce", () => {
    expect(probe(webpOf(vp8x(FLAGS.alpha), vp8()))).toMatchObject({ hasAlpha: true });
    expect(probe(webpOf(vp8x(0), riffChunk("ALPH", 0, 1, 2), vp8()))).toMatchObject({ hasAlpha: false });
    expect(probe(webpOf(vp8x(0), vp8l(4, 3, true)))).toMatchObject({ hasAlpha: true });
    expect(probe(webpOf(vp8x(0), vp8()))).toMatchObject({ hasAlpha: false });
  });

  it("counts frames; one is a still", () => {
    expect(probe(animation({}, {}, {}))).toMatchObject({ frames: 3, animated: true, hasAlpha: false });
    expect(probe(animation({}))).toMatchObject({ frames: 1, animated: false });
    expect(probe(animation({}, { picture: vp8l() }))).toMatchObject({ lossless: false });
    expect(probe(animation({ picture: vp8l() }))).toMatchObject({ lossless: true });
  });

  it("sees transparency in frames and where the canvas shows", () => {
    const alph = [riffChunk("ALPH", 0, 1), vp8()];
    expect(probe(animation({}, { picture: alph }))).toMatchObject({ hasAlpha: true });
    expect(probe(animation({ width: 2 }))).toMatchObject({ hasAlpha: true });
    expect(probe(animation({ dispose: true }, { width: 2, left: 2 }))).toMatchObject({ hasAlpha: true });
    expect(probe(animation({}, { width: 2, left: 2 }))).toMatchObject({ hasAlpha: false });
  });

  it("skips unknown chunks, odd ones with their padding, and bytes after the RIFF chunk", () => {
    const odd = riffChunk("what", 1, 2, 3);
    const file = webpOf(vp8x(0), odd, vp8(), odd);
    expect(probe(file)).toMatchObject({ width: 4, frames: 1 });
    expect(probe(bytes(file, "more"))).toEqual(probe(file));
    // A RIFF size that leaves out the last padding byte.
    const unpadded = webpOf(vp8(), bytes("odd ", [3, 0, 0, 0], 1, 2, 3));
    expect(probe(unpadded)).toMatchObject({ width: 4 });
  });

  /** Returns an animation whose RIFF chunk claims more bytes than the file has. */
  const riffOf = (more: number): Uint8Array => {
    const file = animation({}, {});
    return file.with(4, file[4]! + more);
  };

  it("ignores what follows the picture of a still", () => {
    const still = probe(webpOf(vp8()));
    expect(probe(webpOf(vp8()).with(4, 40))).toEqual(still);
    expect(probe(webpOf(vp8(), vp8(9, 9)))).toEqual(still);
    expect(probe(webpOf(vp8(), new Uint8Array(5)))).toEqual(still);
  });

  it("reads an animation whose size counts the head of the RIFF chunk, or which ends with a few zeros", () => {
    const whole = probe(animation({}, {}));
    expect(probe(riffOf(8))).toEqual(whole);
    expect(probe(bytes(riffOf(5), new Uint8Array(5)))).toEqual(whole);
  });

  const notKey = webpOf(vp8()).with(20, 0x11 | 0x80);
  it.each([
    ["WebP has no picture", webpOf(vp8x(0))],
    ["WebP has no picture", webpOf(vp8x(FLAGS.animated), anim)],
    ["WebP has no picture", webpOf()],
    ["WebP begins with chunk ALPH, not VP8, VP8L or VP8X", webpOf(riffChunk("ALPH", 1), vp8())],
    ["WebP animation has a picture beside its frames", webpOf(vp8x(FLAGS.animated), anim, anmf(), vp8())],
    ["WebP frame 1 stands in a file that does not say it is an animation", webpOf(vp8x(0), anim, anmf())],
    [
      "WebP frame 1 stands in a file that does not say it is an animation",
      webpOf(vp8x(FLAGS.animated), anmf()),
    ],
    ["WebP frame 1 reaches out of the canvas", animation({ left: 2 })],
    ["WebP frame 2 has no picture", animation({}, { picture: riffChunk("ALPH", 1) })],
    ["WebP frame 1 has two pictures", animation({ picture: [vp8(), vp8()] })],
    ["WebP frame 1 says 4×3, its picture is 2×3", animation({ picture: vp8(2, 3) })],
    ["WebP frame 1 is too short", webpOf(vp8x(FLAGS.animated), anim, riffChunk("ANMF", 1, 2))],
    ["WebP canvas says 5×3, its picture is 4×3", webpOf(vp8x(0, 5, 3), vp8())],
    ["WebP picture of 0×3 pixels", webpOf(vp8(0, 3))],
    ["WebP chunk VP8 does not begin with a key frame", notKey],
    ["WebP chunk VP8 is shorter than its first partition", webpOf(vp8()).with(21, 0x10)],
    ["WebP chunk VP8L does not begin with its signature", webpOf(vp8l(4, 3, false, 1))],
    ["WebP chunk VP8  is too short", webpOf(riffChunk("VP8 ", 1))],
    ["WebP chunk VP8X is too short", webpOf(riffChunk("VP8X", 1))],
    ["WebP chunk VP8  is longer than what holds it", webpOf(vp8()).with(16, 200)],
    ["the file ends inside WebP chunk VP8 ", webpOf(vp8()).subarray(0, -1)],
    ["the file ends inside WebP, before the end of its RIFF chunk", riffOf(9)],
  ])("refuses: %s", (refused, file) => {
    expect(outcomeOf(file)).toEqual({ refused, name: "InvalidImageError" });
  });
});
