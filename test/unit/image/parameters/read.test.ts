import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePictureParameters } from "../../../../src/image/parameters/read.ts";
import { ApiError } from "../../../../src/errors.ts";

const parse = (query: string) => parsePictureParameters(new URLSearchParams(query));

describe("the query of an image request (RULES 5.2)", () => {
  it("reads all allowed values", () => {
    const nothing = {
      ...{ width: null, height: null, ratio: null, focalPoint: null },
      ...{ quality: null, format: null, auto: false },
    };
    expect(parse("w=1200&q=95&fm=webp")).toEqual({ ...nothing, width: 1200, quality: 95, format: "webp" });
    expect(parse("auto=format")).toEqual({ ...nothing, auto: true });
    expect(parse("h=900&ar=16%3A9&fp=0.25,1")).toEqual({
      ...nothing,
      height: 900,
      ratio: "16:9",
      focalPoint: { x: 25, y: 100 },
    });
    expect(parse("")).toEqual(nothing);
  });

  it("accepts sides from 1 to 8192 and no others", () => {
    expect([parse("w=1").width, parse("h=1").height]).toEqual([1, 1]);
    expect([parse("w=8192").width, parse("h=8192").height]).toEqual([8192, 8192]);
    for (const w of [
      "0",
      "8193",
      "-1",
      "%2B5",
      "1.5",
      "1e3",
      "01",
      "0x10",
      "%205",
      "5%20",
      "",
      "abc",
      "٣",
      "99999",
    ]) {
      for (const name of ["w", "h"]) expect(() => parse(`${name}=${w}`), `${name}=${w}`).toThrow(ApiError);
    }
  });

  it("refuses values that are not listed, repeated or empty parameters, and fm beside auto", () => {
    const bad = [
      "h=1e9",
      "h=1&h=1",
      "ar=1:1&ar=1:1",
      "w=100&h=100&ar=1:1",
      "fp=NaN,2",
      "fp=0.5",
      "fp=",
      "fp=0.5,0.51",
      "fp=0,0&fp=0,0",
      "q=85",
      "q=",
      "q=080",
      "q=80&q=80",
      "fm=gif",
      "fm=jpg",
      "fm=WEBP",
      "fm=",
      "auto=1",
      "auto=",
      "auto=Format",
    ];
    for (const query of [...bad, "w=5&w=5", "fm=webp&auto=format"]) {
      expect(() => parse(query), query).toThrow(/must be|cannot be/);
    }
  });

  it("ignores unknown parameters", () => {
    expect(parse("utm_source=x&w=5&W=7&dpr=2").width).toBe(5);
  });

  it("says in its errors which values are allowed", () => {
    expect(() => parse("q=85")).toThrow("80, 90, 95, 100");
    expect(() => parse("fm=bmp")).toThrow("jpeg, png, webp, avif");
  });

  it("never takes a width that is not the number it was written as", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const query = new URLSearchParams([["w", text]]);
        try {
          const { width } = parsePictureParameters(query);
          expect(String(width)).toBe(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});
