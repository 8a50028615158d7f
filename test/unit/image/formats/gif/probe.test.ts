import { describe, expect, it } from "vitest";
import { bytes } from "../../../../../scripts/samples/probe/bytes.ts";
import { gif, gifFrame, gifHeader } from "../../../../support/probes/probe-gif.ts";
import { outcomeOf, probe } from "../../../../../scripts/harness/probe-run.ts";

const comment = bytes(0x21, 0xfe, 5, "hello", 3, "you", 0);
const loop = bytes(0x21, 0xff, 11, "NETSCAPE2.0", 3, 1, 0, 0, 0);

describe("readGif", () => {
  it("counts frames through extensions, local tables and interlacing", () => {
    const file = bytes(
      gifHeader(),
      loop,
      gifFrame(),
      comment,
      gifFrame({ localTable: true, interlaced: true }),
      ";",
    );
    expect(probe(file)).toMatchObject({ frames: 2, animated: true, width: 4, height: 3, hasAlpha: false });
    expect(probe(gif({}))).toMatchObject({ frames: 1, animated: false });
  });

  it("reads GIF87a without a global table", () => {
    const frame = gifFrame({ localTable: true }).subarray(8);
    expect(probe(bytes(gifHeader(4, 3, "87a").with(10, 0).subarray(0, 13), frame, ";"))).toMatchObject({
      frames: 1,
    });
  });

  it("skips long data", () => {
    const blocks = Array.from({ length: 1000 }, (_, i) => [
      (i % 255) + 1,
      new Uint8Array((i % 255) + 1).fill(0),
    ]);
    const file = gif({ data: [8, blocks, 0] }, {});
    for (const size of [1, 7, 100, 4096]) expect(probe(file, [size])).toMatchObject({ frames: 2 });
  });

  it("sees transparency in an index, a canvas that is not covered, and a cleared frame", () => {
    const alpha = (...frames: Parameters<typeof gif>) => probe(gif(...frames)).hasAlpha;
    expect(alpha({ transparent: true })).toBe(true);
    expect(alpha({}, { transparent: true })).toBe(true);
    expect(alpha({ width: 3 })).toBe(true);
    expect(alpha({ left: 1 })).toBe(true);
    expect(alpha({ width: 9, height: 9 })).toBe(false);
    expect(alpha({ disposal: 2 }, {})).toBe(false);
    expect(alpha({ disposal: 2 }, { top: 1 })).toBe(true);
    expect(alpha({}, { width: 2, disposal: 3 }, { width: 1 })).toBe(false);
    expect(alpha({ disposal: 1 }, { width: 1 })).toBe(false);
  });

  it("counts frames outside the screen", () => {
    expect(probe(gif({}, { left: 100, top: 100 }))).toMatchObject({ frames: 2 });
  });

  it("ignores bytes after the trailer", () => {
    expect(probe(bytes(gif({}), gifFrame(), 0xff))).toEqual(probe(gif({})));
  });

  it("ends the picture where browsers do: with the file, or at a byte that begins no block", () => {
    const whole = probe(gif({}, {}));
    expect(probe(gif({}, {}).subarray(0, -1))).toEqual(whole);
    expect(probe(bytes(gif({}, {}).subarray(0, -1), 0, ";"))).toEqual(whole);
    expect(probe(bytes(gif({}, {}).subarray(0, -1), 0, gifFrame(), ";"))).toEqual(whole);
  });

  it("has the size of the screen, enlarged by the first frame", () => {
    const sizeOf = (file: Uint8Array) => {
      const { width, height } = probe(file);
      return [width, height];
    };
    expect(sizeOf(bytes(gifHeader(0, 0), gifFrame({ width: 5, height: 6 }), ";"))).toEqual([5, 6]);
    expect(sizeOf(bytes(gifHeader(4, 9), gifFrame({ width: 5, height: 6, left: 2 }), ";"))).toEqual([7, 9]);
    expect(sizeOf(bytes(gifHeader(4, 3), gifFrame(), gifFrame({ width: 50 }), ";"))).toEqual([4, 3]);
  });

  it.each([
    ["GIF of 0×3 pixels", bytes(gifHeader(0, 3), gifFrame({ width: 0 }), ";")],
    ["GIF has no image", gif()],
    ["GIF frame 1 has no colour table", bytes(gifHeader(4, 3).with(10, 0).subarray(0, 13), gifFrame(), ";")],
    ["GIF has no block at byte 19", bytes(gifHeader(), 0x01, ";")],
    ["GIF frame 1 has LZW codes of 12 bits", gif({ data: [12, 0] })],
    ["GIF graphic control extension has 3 bytes, not 4", bytes(gifHeader(), 0x21, 0xf9, 3, 0, 0, 0, 0, ";")],
    ["the file ends inside GIF, before its trailer", gifHeader()],
    ["the file ends inside GIF frame 1", gif({}).subarray(0, -3)],
    ["the file ends inside GIF frame 2", gif({}, {}).subarray(0, -3)],
    ["the file ends inside GIF extension", bytes(gifHeader(), comment.subarray(0, 5))],
    ["the file ends inside GIF global colour table", gifHeader().subarray(0, 15)],
    ["the file ends inside GIF logical screen descriptor", gifHeader().subarray(0, 9)],
  ])("refuses: %s", (refused, file) => {
    expect(outcomeOf(file)).toEqual({ refused, name: "InvalidImageError" });
  });
});
