/** The variants of stills, animations and drawings, and their crops (RULES 5.3, 5.4, 6.1). */
import { describe, expect, it } from "vitest";
import {
  avifFacts,
  gifFacts,
  jpegFacts,
  pngFacts,
  svgFacts,
  webpFacts,
} from "../../../../scripts/samples/facts.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { ALL, ask, candidates, NONE } from "./candidates.ts";

describe("still masters", () => {
  const photo = jpegFacts(4032, 3024);

  it("answers the master when nothing is asked for (RULES 5.3)", () => {
    expect(candidates(photo, "")).toBe("master");
    expect(candidates(photo, "utm=1")).toBe("master");
  });

  it("rounds up to the grid and never upscales (RULES 5.4)", () => {
    expect(candidates(photo, "w=1200")).toEqual(["1600x1200 jpeg q80"]);
    expect(candidates(photo, "w=237")).toEqual(["500x375 jpeg q80"]);
    expect(candidates(photo, "w=1")).toEqual(["64x48 jpeg q80"]);
    expect(candidates(photo, "w=8192")).toEqual(["4032x3024 jpeg q80"]);
    const small = jpegFacts(1200, 801);
    expect(candidates(small, "w=1200")).toEqual(candidates(small, "w=1600"));
    expect(candidates(small, "w=1600")).toEqual(["1200x801 jpeg q80"]);
  });

  it("multiplies both sides by the density before the grid, and takes their ratio before it (RULES 5.11)", () => {
    expect(candidates(photo, "w=500&dpr=2")).toEqual(["1000x750 jpeg q80"]);
    expect(candidates(photo, "w=500&dpr=2.01")).toEqual(["1600x1200 jpeg q80"]);
    expect(candidates(photo, "w=8192&dpr=4")).toEqual(["4032x3024 jpeg q80"]);
    expect(candidates(photo, "h=375&dpr=2&q=80")).toEqual(["1000x750 jpeg q80"]);
    expect(candidates(photo, "q=80&dpr=2")).toEqual(["4032x3024 jpeg q80"]);
    expect(candidates(photo, "dpr=2")).toBe("master");
    expect(candidates(photo, "w=160&h=90&dpr=4")).toEqual(["750x422 jpeg q80"]);
    expect(candidates(photo, "w=8192&h=4608&dpr=4")).toEqual(["4032x2268 jpeg q80"]);
  });

  it("answers the master for auto=compress alone, and negotiates nothing with it", () => {
    expect(candidates(photo, "auto=compress", ALL)).toBe("master");
    expect(candidates(photo, "auto=compress&w=500", ALL)).toEqual(["500x375 jpeg q80"]);
    expect(candidates(photo, "auto=compress,format&w=500&q=75", ALL)[0]).toBe("500x375 avif q80");
  });

  it("builds at the master's width for q or fm alone (RULES 5.4)", () => {
    expect(candidates(photo, "q=100")).toEqual(["4032x3024 jpeg q100"]);
    expect(candidates(photo, "fm=png")).toEqual(["4032x3024 png"]);
  });

  it("keeps at least one row", () => {
    expect(candidates(jpegFacts(8000, 3), "w=64")).toEqual(["64x1 jpeg q80"]);
  });

  it("shares one result for PNG and GIF whatever q says (RULES 5.6)", () => {
    const png = pngFacts(2000, 1000);
    expect(candidates(png, "w=500&q=90")).toEqual(candidates(png, "w=500"));
    expect(candidates(gifFacts(600, 600), "w=500&q=95")).toEqual(["500x500 gif"]);
    expect(candidates(png, "w=500&fm=webp&q=90")).not.toEqual(candidates(png, "w=500&fm=webp"));
  });

  it("negotiates only with auto=format: AVIF, WebP, then the master's (RULES 5.5)", () => {
    expect(candidates(photo, "w=500", ALL)).toEqual(["500x375 jpeg q80"]);
    const all = ["500x375 avif q80", "500x375 webp q80", "500x375 jpeg q80"];
    expect(candidates(photo, "w=500&auto=format", ALL)).toEqual(all);
    expect(candidates(photo, "w=500&auto=format", { avif: false, webp: true })).toEqual(all.slice(1));
    expect(candidates(photo, "w=500&auto=format", NONE)).toEqual(all.slice(2));
    expect(candidates(avifFacts(800, 600), "w=500&auto=format", ALL)).toEqual([
      "500x375 avif q80",
      "500x375 webp q80",
    ]);
  });
});

describe("animated masters (RULES 6.1, 6.2)", () => {
  it.each(["jpeg", "png", "avif"])("refuses to lose frames as %s", (fm) => {
    for (const facts of [gifFacts(100, 100, 5), webpFacts(100, 100, 5), pngFacts(100, 100, { frames: 5 })]) {
      expect(() => ask(facts, `fm=${fm}`)).toThrow("animation");
    }
  });

  it("keeps GIF and WebP as they are, or makes WebP", () => {
    expect(candidates(gifFacts(600, 600, 5), "w=500")).toEqual(["500x500 gif"]);
    expect(candidates(gifFacts(600, 600, 5), "w=500&auto=format", ALL)).toEqual([
      "500x500 webp q80",
      "500x500 gif",
    ]);
    expect(candidates(gifFacts(600, 600, 5), "w=500&auto=format", { avif: true, webp: false })).toEqual([
      "500x500 gif",
    ]);
    expect(candidates(webpFacts(600, 600, 5), "w=500&fm=webp")).toEqual(["500x500 webp q80"]);
  });

  it("answers an APNG as its master without fm, and converts it to WebP", () => {
    const apng = pngFacts(600, 600, { frames: 5 });
    expect(candidates(apng, "w=500")).toBe("master");
    expect(candidates(apng, "w=500&auto=format", NONE)).toBe("master");
    expect(candidates(apng, "w=500&auto=format", ALL)).toEqual(["500x500 webp q80"]);
    expect(candidates(apng, "fm=webp")).toEqual(["600x600 webp q80"]);
  });

  it("answers an animated AVIF as its master, but 400 for fm=jpeg or png (RULES 6.2)", () => {
    const facts = avifFacts(600, 600, 5);
    for (const query of ["w=500", "w=500&auto=format", "fm=avif"])
      expect(candidates(facts, query, ALL)).toBe("master");
    for (const fm of ["jpeg", "png"]) expect(() => ask(facts, `fm=${fm}`)).toThrow("animation");
  });
});

describe("SVG masters (RULES 5.4, 6.5)", () => {
  const drawing = svgFacts(120, 80);

  it("answers the vector without fm", () => {
    expect(candidates(drawing, "w=500&q=90")).toBe("master");
    expect(candidates(drawing, "w=500&auto=format", NONE)).toBe("master");
  });

  it("uses the grid width itself, even if it is larger than its own", () => {
    expect(candidates(drawing, "w=400&fm=png")).toEqual(["500x333 png"]);
    expect(candidates(drawing, "w=400&auto=format", ALL)).toEqual(["500x333 avif q80", "500x333 webp q80"]);
  });
});

describe("crops", () => {
  const photo = jpegFacts(4000, 3000);
  /** Returns size and crop of the first candidate. */
  const cropped = (facts: MasterFacts, query: string) => {
    const [first] = ask(facts, query);
    if (!first) return "master";
    const { width, height, crop } = first;
    return [`${width}x${height}`, crop?.rect ?? null];
  };
  const rect = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });

  it("have the ratio's height at a width of the grid", () => {
    expect(cropped(photo, "ar=16:9&w=1000")).toEqual(["1000x563", rect(0, 375, 4000, 2250)]);
    expect(cropped(photo, "ar=1:1&w=900&fp=1,0")).toEqual(["1000x1000", rect(1000, 0, 3000, 3000)]);
    expect(cropped(photo, "w=1600&h=900")).toEqual(["1600x900", rect(0, 375, 4000, 2250)]);
  });

  it("are never wider than the crop", () => {
    expect(cropped(photo, "ar=1:2&w=8192")).toEqual(["1500x3000", rect(1250, 0, 1500, 3000)]);
    expect(cropped(photo, "ar=1:2&fm=webp")).toEqual(["1500x3000", rect(1250, 0, 1500, 3000)]);
    expect(cropped(jpegFacts(101, 100), "ar=16:9&q=90")).toEqual(["101x57", rect(0, 22, 101, 56)]);
  });

  it("that cover the master are the uncropped variant", () => {
    for (const query of ["ar=4:3&w=1000", "ar=4:3&w=1000&fp=0,0", "w=1000&h=750", "w=1000", "w=1000&fp=0,1"])
      expect(cropped(photo, query)).toEqual(["1000x750", null]);
  });

  it("take their width from the height, in the ratio or the master's own", () => {
    expect(cropped(photo, "h=750&q=80")).toEqual(["1000x750", null]);
    expect(cropped(photo, "h=751&q=80")).toEqual(["1600x1200", null]);
    expect(cropped(photo, "h=500&ar=1:1&q=80")).toEqual(["500x500", rect(500, 0, 3000, 3000)]);
    expect(cropped(photo, "h=501&ar=1:1&q=80")).toEqual(["750x750", rect(500, 0, 3000, 3000)]);
    expect(cropped(photo, "h=8192&ar=21:9&q=80")).toEqual(["4000x1714", rect(0, 643, 4000, 1714)]);
    expect(cropped(photo, "h=1&ar=1:2&q=80")).toEqual(["64x128", rect(1250, 0, 1500, 3000)]);
    expect(cropped(svgFacts(400, 300), "h=8192&fm=png")).toEqual(["8192x6144", null]);
  });

  it("act only beside w, q, fm or auto", () => {
    for (const query of ["ar=1:1", "h=100", "fp=0,0", "ar=1:1&h=100&fp=0,0"])
      expect(cropped(photo, query)).toBe("master");
    expect(cropped(photo, "ar=1:1&auto=format")).toEqual(["3000x3000", rect(500, 0, 3000, 3000)]);
  });

  it("of a drawing have the grid width, and the vector is never cropped", () => {
    const drawing = svgFacts(400, 300);
    expect(cropped(drawing, "ar=1:1&w=1000&fm=png")).toEqual(["1000x1000", rect(50, 0, 300, 300)]);
    expect(cropped(drawing, "ar=1:1&fm=png")).toEqual(["300x300", rect(50, 0, 300, 300)]);
    expect(cropped(drawing, "ar=1:1&w=1000")).toBe("master");
  });

  it("of animations keep the rules of animations", () => {
    expect(cropped(gifFacts(400, 300, 4), "ar=1:1&w=236")).toEqual(["236x236", rect(50, 0, 300, 300)]);
    expect(() => ask(gifFacts(400, 300, 4), "ar=1:1&fm=jpeg")).toThrow(/animation/);
  });
});
