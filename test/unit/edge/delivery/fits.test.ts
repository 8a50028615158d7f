/** Whole pictures in a box and on a canvas (RULES 5.12 to 5.14). */
import { describe, expect, it } from "vitest";
import { gifFacts, jpegFacts, pngFacts, svgFacts } from "../../../../scripts/samples/facts.ts";
import { groundOf, hasBars } from "../../../../src/image/model/background.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { variantFile } from "../../../../src/image/model/variant.ts";
import { ask, candidates } from "./candidates.ts";

/** Returns the first candidate in words, such as `p1x1 1000x1000@0,125 1000x750 b000000`. */
function padded(facts: MasterFacts, query: string): string {
  const [spec] = ask(facts, query);
  if (!spec) return "master";
  const { width, height, pad, background } = spec;
  const place = pad && `${pad.place.width}x${pad.place.height}@${pad.place.left},${pad.place.top}`;
  return [`${width}x${height}`, place, background && `b${background}`].filter(Boolean).join(" ");
}

describe("a whole picture inside a box (RULES 5.12)", () => {
  const photo = jpegFacts(4000, 3000);

  it("is as large as it fits, then as the grid", () => {
    expect(candidates(photo, "fit=inside&w=500&h=5000")).toEqual(["500x375 jpeg q80"]);
    expect(candidates(photo, "fit=inside&w=5000&h=375")).toEqual(["500x375 jpeg q80"]);
    expect(candidates(photo, "fit=inside&w=5000&h=376")).toEqual(["750x563 jpeg q80"]);
    expect(candidates(photo, "fit=inside&w=501&h=5000")).toEqual(["750x563 jpeg q80"]);
    expect(candidates(photo, "fit=inside&w=400&h=188&dpr=2")).toEqual(["750x563 jpeg q80"]);
    expect(candidates(photo, "fit=inside&w=400&h=187&dpr=2")).toEqual(["500x375 jpeg q80"]);
    expect(candidates(photo, "fit=inside&w=8192&h=8192")).toEqual(["4000x3000 jpeg q80"]);
    expect(candidates(jpegFacts(3000, 4000), "fit=inside&w=1000&h=1000")).toEqual(["750x1000 jpeg q80"]);
    expect(candidates(jpegFacts(10, 8000), "fit=inside&w=1&h=1")).toEqual(["10x8000 jpeg q80"]);
    expect(candidates(svgFacts(400, 300), "fit=inside&w=700&h=700&fm=png")).toEqual(["750x563 png"]);
  });

  it("is the same file as one of its width", () => {
    const file = (query: string) => variantFile(ask(photo, query)[0]!);
    expect(file("fit=inside&w=999&h=8000&bg=000000")).toBe(file("w=1000"));
  });
});

describe("a whole picture on a canvas (RULES 5.13, 5.14)", () => {
  const photo = jpegFacts(4000, 3000);
  const cutout = pngFacts(4000, 3000, { hasAlpha: true });

  it("stands in the middle, and the canvas follows the grid up to the smallest that holds it", () => {
    expect(padded(photo, "fit=pad&ar=1:1&w=1000")).toBe("1000x1000 1000x750@0,125");
    expect(padded(photo, "fit=pad&ar=21:9&w=1000")).toBe("1000x429 572x429@214,0");
    expect(padded(photo, "fit=pad&w=160&h=90&dpr=3")).toBe("500x281 375x281@62,0");
    expect(padded(photo, "fit=pad&ar=16:9&h=500&q=80")).toBe("1000x563 751x563@124,0");
    expect(padded(photo, "fit=pad&ar=1:1&q=80")).toBe("4000x4000 4000x3000@0,500");
    expect(padded(photo, "fit=pad&ar=16:9&w=8192")).toBe("5334x3000 4000x3000@667,0");
    expect(padded(jpegFacts(100, 50), "fit=pad&ar=1:2&w=4096")).toBe("100x200 100x50@0,75");
    expect(padded(svgFacts(400, 300), "fit=pad&ar=1:1&w=1000&fm=png")).toBe("1000x1000 1000x750@0,125");
    expect(padded(gifFacts(400, 300, 4), "fit=pad&ar=1:1&w=236")).toBe("236x236 236x177@0,29");
  });

  it("is the uncropped variant where nothing stands beside it", () => {
    const file = (facts: MasterFacts, query: string) => variantFile(ask(facts, query)[0]!);
    for (const size of ["w=1000", "w=8192", "q=80"]) {
      for (const format of ["", "&fm=webp", "&fm=png"]) {
        expect(file(photo, `fit=pad&ar=4:3&bg=000000&${size}${format}`)).toBe(
          file(photo, `${size}${format}`),
        );
        expect(file(cutout, `fit=pad&ar=4:3&${size}${format}`)).toBe(file(cutout, `${size}${format}`));
      }
    }
  });

  it("acts only beside w, q, fm or a format in auto", () => {
    for (const query of ["fit=pad&ar=1:1", "fit=pad&ar=1:1&bg=000000&auto=compress", "bg=000000"]) {
      expect(candidates(photo, query)).toBe("master");
    }
  });

  it("has its background where that changes pixels", () => {
    expect(padded(photo, "w=500&bg=000000")).toBe("500x375");
    expect(padded(cutout, "w=500&bg=000000")).toBe("500x375");
    expect(padded(cutout, "w=500&bg=000000&fm=jpg")).toBe("500x375 b000000");
    expect(padded(cutout, "w=500&bg=ffffff&fm=jpg")).toBe("500x375");
    expect(padded(cutout, "w=500&bg=transparent&fm=jpg")).toBe("500x375");
    expect(padded(cutout, "w=500&ar=1:1&bg=000000&fm=jpg")).toBe("500x500 b000000");
    expect(padded(photo, "fit=pad&ar=1:1&w=500&bg=000000")).toBe("500x500 500x375@0,62 b000000");
    expect(padded(photo, "fit=pad&ar=1:1&w=500&bg=transparent")).toBe("500x500 500x375@0,62");
    expect(padded(photo, "fit=pad&ar=1:1&w=500&bg=ffffff")).toBe("500x500 500x375@0,62");
    expect(padded(photo, "fit=pad&ar=1:1&w=500&bg=ffffff&fm=webp")).toBe("500x500 500x375@0,62 bffffff");
    expect(padded(photo, "fit=pad&ar=4:3&w=500&bg=000000")).toBe("500x375");
    // Composed on the colour, although the picture covers the canvas.
    expect(padded(cutout, "fit=pad&ar=4:3&w=500&bg=000000")).toBe("500x375 500x375@0,0 b000000");
    expect(padded(cutout, "fit=pad&ar=4:3&w=500&bg=000000&fm=jpg")).toBe("500x375 b000000");
  });

  it("never makes two files of one picture, nor one name of two", () => {
    const byName = new Map<string, string>();
    const byShape = new Map<string, string>();
    for (const facts of [
      photo,
      cutout,
      pngFacts(333, 700, { hasAlpha: true }),
      jpegFacts(1000, 667),
      jpegFacts(9, 2001),
    ]) {
      for (const fit of [
        "fit=pad&ar=1:1",
        "fit=pad&ar=3:2",
        "fit=pad&ar=1:2",
        "fit=pad&ar=4:3",
        "fit=crop",
      ]) {
        for (const size of ["w=1", "w=500", "w=8192", "q=80"]) {
          for (const bg of ["", "&bg=ffffff", "&bg=000000", "&bg=transparent"]) {
            for (const fm of ["", "&fm=jpeg", "&fm=png", "&fm=webp"]) {
              const spec = ask(facts, `${fit}&${size}${bg}${fm}`)[0]!;
              const master = JSON.stringify(facts);
              const shown = facts.hasAlpha || hasBars(spec) ? groundOf(spec) : null;
              const { width, height, format, quality } = spec;
              const place = hasBars(spec) ? spec.pad!.place : null;
              const shape = JSON.stringify([master, width, height, format, quality, place, shown]);
              const name = master + variantFile(spec);
              expect(byName.get(name) ?? shape).toBe(shape);
              expect(byShape.get(shape) ?? name).toBe(name);
              byName.set(name, shape);
              byShape.set(shape, name);
            }
          }
        }
      }
    }
    expect(byName.size).toBeGreaterThan(200);
  });
});
