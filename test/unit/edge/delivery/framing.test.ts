import { describe, expect, it } from "vitest";
import { framingOf } from "../../../../src/edge/delivery/framing.ts";
import { parsePictureParameters } from "../../../../src/image/parameters/read.ts";
import { ApiError } from "../../../../src/errors.ts";
import { BACKGROUND, CROP } from "../../../../src/limits.ts";

const picture = {
  aspectRatios: CROP.aspectRatiosDefault,
  backgrounds: BACKGROUND.backgroundsDefault,
  focalPoint: null,
};
const frame = (query: string, of: Parameters<typeof framingOf>[1] = picture) =>
  framingOf(parsePictureParameters(new URLSearchParams(query)), of);
const refusal = (query: string, of = picture): ApiError => {
  try {
    frame(query, of);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error(`${query} was not refused`);
};

describe("the ratio of a request", () => {
  it("is the one of `ar`, also with its colon escaped", () => {
    expect(frame("ar=16:9").ratio).toEqual({ width: 16, height: 9 });
    expect(frame("ar=16%3A9").ratio).toEqual({ width: 16, height: 9 });
    expect(frame("ar=16%3a9").ratio).toEqual({ width: 16, height: 9 });
    expect(frame("w=500").ratio).toBeNull();
    expect(frame("h=500").ratio).toBeNull();
  });

  it.each([
    "0:0",
    "1:1000000",
    "32:18",
    "16:09",
    "016:9",
    "16%2F9",
    "16:9%20",
    "+16:9",
    "1.78:1",
    "",
    "16x9",
  ])("is none of the list as %j, and the message names the list", (ratio) => {
    const { code, message } = refusal(`ar=${ratio}`);
    expect(code).toBe("INVALID_PARAMETER");
    for (const listed of CROP.aspectRatiosDefault) expect(message).toContain(listed);
  });

  it("must be in the space's list, character for character", () => {
    const own = { ...picture, aspectRatios: ["32:18"] };
    expect(frame("ar=32:18", own).ratio).toEqual({ width: 32, height: 18 });
    expect(refusal("ar=16:9", own as never).message).toContain("32:18");
  });

  it("is the nearest one of the list for w and h", () => {
    expect(frame("w=1600&h=900").ratio).toEqual({ width: 16, height: 9 });
    expect(frame("w=500&h=281").ratio).toEqual({ width: 16, height: 9 });
    const { message } = refusal("w=1000&h=100");
    for (const listed of CROP.aspectRatiosDefault) expect(message).toContain(listed);
  });

  it("is refused with the whole list, even the longest possible one", () => {
    const aspectRatios = Array.from({ length: CROP.aspectRatiosMax }, (_, n) => `${9999 - n}:${9998 - n}`);
    const { message, details } = refusal("ar=1:1", { aspectRatios, focalPoint: null } as never);
    for (const text of [message, details?.[0]?.message]) expect(text).toContain(aspectRatios.at(-1));
  });
});

describe("the background of a request (RULES 5.14)", () => {
  const own = { ...picture, backgrounds: ["00ff7f", "transparent"] };

  it("must be one of the space's, in any case, wherever it stands", () => {
    for (const query of ["bg=00FF7f", "bg=transparent&w=500", "bg=TRANSPARENT"])
      expect(() => frame(query, own)).not.toThrow();
    for (const query of ["bg=ffffff", "bg=ffffff&w=500", "bg=000000&fit=pad&ar=1:1&q=80"]) {
      const { code, message, details } = refusal(query, own as never);
      expect([code, details?.[0]?.path]).toEqual(["INVALID_PARAMETER", "bg"]);
      expect(message).toContain("00ff7f, transparent");
    }
    expect(refusal("bg=123456").message).toContain("ffffff, 000000, transparent");
  });
});

describe("the ratio of a whole picture", () => {
  it("is not looked for in a box that it stands inside (RULES 5.12)", () => {
    expect(frame("w=1000&h=100&fit=inside").ratio).toBeNull();
  });

  it("is that of a canvas, by the rules of a crop (RULES 5.13)", () => {
    expect(frame("w=500&h=281&fit=pad").ratio).toEqual({ width: 16, height: 9 });
    expect(refusal("w=1000&h=100&fit=pad").message).toContain("21:9");
    expect(refusal("ar=5:7&fit=pad").message).toContain("21:9");
  });
});

describe("the focal point of a request", () => {
  it("is that of `fp`, else the picture's, else the centre", () => {
    const own = { ...picture, focalPoint: { x: 33, y: 67 } };
    expect(frame("ar=1:1&fp=0.25,0.75", own).focalPoint).toEqual({ x: 25, y: 75 });
    expect(frame("ar=1:1", own).focalPoint).toEqual({ x: 33, y: 67 });
    expect(frame("ar=1:1").focalPoint).toEqual({ x: 50, y: 50 });
  });
});
