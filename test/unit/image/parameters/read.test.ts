import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePictureParameters } from "../../../../src/image/parameters/read.ts";
import { isTransformed } from "../../../../src/image/parameters/table.ts";
import { ApiError } from "../../../../src/errors.ts";

const parse = (query: string) => parsePictureParameters(new URLSearchParams(query));

describe("the query of an image request (RULES 5.2)", () => {
  it("reads all allowed values", () => {
    const nothing = {
      ...{ width: null, height: null, density: null, ratio: null, focalPoint: null },
      ...{ fit: null, background: null },
      ...{ quality: null, format: null, auto: null },
    };
    expect(parse("w=1200&q=95&fm=webp")).toEqual({ ...nothing, width: 1200, quality: 95, format: "webp" });
    expect(parse("auto=format")).toEqual({ ...nothing, auto: "format" });
    expect(parse("h=5&dpr=1.25")).toEqual({ ...nothing, height: 5, density: 125 });
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
      ...["q=0", "q=101", "q=80.5", "q=-1", "q=%2B80", "q=8e1", "q=high", "q=0x50", "q=%2080", "q=1000"],
      ...[
        "dpr=0",
        "dpr=0.99",
        "dpr=4.01",
        "dpr=5",
        "dpr=2.005",
        "dpr=2.",
        "dpr=.5",
        "dpr=02",
        "dpr=2x",
        "dpr=-2",
      ],
      ...[
        "fit=",
        "fit=Crop",
        "fit=contain",
        "fit=max",
        "fit=clip",
        "fit=pad&fit=pad",
        "fit=inside",
        "fit=pad",
      ],
      ...["fit=inside&w=5", "fit=inside&h=5", "fit=inside&ar=1:1&w=5", "fit=pad&w=5", "fit=pad&h=5&q=80"],
      ...["fit=inside&w=5&h=5&ar=1:1", "fit=inside&w=5&h=5&fp=0,0", "fit=pad&ar=1:1&fp=0,0"],
      ...[
        "bg=",
        "bg=fff",
        "bg=%23ffffff",
        "bg=red",
        "bg=ffffff0",
        "bg=gggggg",
        "bg=transparent%20",
        "bg=rgb:ffffff",
      ],
      ...["bg=ffffff&bg=ffffff", "bg=80ffffff"],
      ...["dpr=", "dpr=2&dpr=2", "dpr=1e0", "dpr=NaN", "dpr=%2B2", "dpr=2,5", "dpr=10"],
      "q=",
      "q=080",
      "q=80&q=80",
      "fm=gif",
      "fm=JPG",
      "fm=svg",
      "fm=WEBP",
      "fm=",
      "auto=1",
      "auto=",
      "auto=Format",
      ...["auto=enhance", "auto=format,enhance", "auto=format,", "auto=,", "auto=format%20,compress"],
      ...["auto=format&auto=compress", "fm=webp&auto=compress", "fm=jpg&auto=compress,format"],
    ];
    for (const query of [...bad, "w=5&w=5", "fm=webp&auto=format"]) {
      expect(() => parse(query), query).toThrow(/must be|cannot be/);
    }
  });

  it("rounds every quality from 1 to 100 up to one that there is", () => {
    const read = Array.from({ length: 100 }, (_, i) => parse(`q=${i + 1}`).quality);
    expect(read).toEqual([
      ...Array<number>(80).fill(80),
      ...Array<number>(10).fill(90),
      ...Array<number>(5).fill(95),
      ...Array<number>(5).fill(100),
    ]);
  });

  it("reads jpg as jpeg", () => {
    expect([parse("fm=jpg").format, parse("fm=jpeg").format]).toEqual(["jpeg", "jpeg"]);
  });

  it("reads a list of what is automatic, in which compress means nothing", () => {
    for (const list of [
      "format",
      "format,compress",
      "compress,format",
      "compress%2Cformat",
      "format,format",
    ]) {
      expect([list, parse(`auto=${list}`).auto]).toEqual([list, "format"]);
    }
    for (const list of ["compress", "compress,compress"]) expect(parse(`auto=${list}`).auto).toBe("compress");
    expect(isTransformed(parse("auto=compress"))).toBe(false);
    expect(isTransformed(parse("auto=compress,format"))).toBe(true);
  });

  it("reads pixel densities from 1 to 4 with two decimals (RULES 5.11)", () => {
    const read = ["1", "1.0", "1.5", "1.50", "2.63", "3", "4", "4.00", "1.15"].map(
      (dpr) => parse(`dpr=${dpr}`).density,
    );
    expect(read).toEqual([100, 100, 150, 150, 263, 300, 400, 400, 115]);
    expect(isTransformed(parse("dpr=2&h=100"))).toBe(false);
  });

  it("reads how a picture meets another ratio, and on what it stands", () => {
    expect(parse("fit=crop&ar=1:1&fp=0,0").fit).toBeNull();
    expect(parse("fit=inside&w=5&h=7").fit).toBe("inside");
    expect([parse("fit=pad&ar=1:1").fit, parse("fit=pad&w=5&h=7").fit]).toEqual(["pad", "pad"]);
    const read = ["FFaa09", "ffAA09", "Transparent", "transparent"].map((bg) => parse(`bg=${bg}`).background);
    expect(read).toEqual(["ffaa09", "ffaa09", "transparent", "transparent"]);
    for (const query of ["fit=pad&ar=1:1", "bg=ffffff", "fit=crop"]) {
      expect([query, isTransformed(parse(query))]).toEqual([query, false]);
    }
  });

  it("ignores unknown parameters", () => {
    expect(parse("utm_source=x&w=5&W=7&DPR=2").width).toBe(5);
  });

  it("says in its errors which values are allowed", () => {
    expect(() => parse("q=0")).toThrow("80, 90, 95, 100");
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
