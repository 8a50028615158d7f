/** SVG rasters (RULES 6.5) against librsvg's drawing of the same file, by sharp. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { planBuild } from "../../../../../src/image/plan/plan.ts";
import { type VariantSpec } from "../../../../../src/image/model/variant.ts";
import { OUTPUT_FORMATS } from "../../../../../src/image/formats/registry.ts";
import type { SvgFacts } from "../../../../../src/image/model/facts.ts";
import { undrawable } from "../../../../../src/image/formats/svg/work/cost.ts";
import { askedOrder, bitmap, build, order, specFor, take } from "../../../../../scripts/harness/builds.ts";
import { type Bitmap, psnr } from "../../../../../scripts/harness/ssim.ts";
import {
  drawing,
  drawings,
  drawnBySharp,
  exported,
  onGround,
  sanitize,
  svg,
} from "../../../../../scripts/samples/svg/svg.ts";
import { ofRing } from "../../../../support/ring.ts";

const stored = (file: Buffer | string): Buffer => Buffer.from(sanitize(file.toString()).document);
/** The ledger may be so far under (cost.test.ts, which holds drawings to both of its bounds). */
const MOST_UNDER = 0.95;
/** Two rasterizers differ at edges; text is set in another font. */
const LEAST_PSNR_DB: Record<string, number> = { "text.svg": 11 };

/** The width of the largest PNG, which is both looked at and weighed. */
const LARGE = 1000;
const large = new Map<string, ReturnType<typeof build>>();

/** Builds the file `LARGE` wide as a PNG, once per drawing. */
function builtLarge(name: string, file: Buffer): ReturnType<typeof build> {
  const built = large.get(name) ?? build(stored(file), { width: LARGE, format: "png" });
  large.set(name, built);
  return built;
}

describe("a drawing", () => {
  // librsvg does not know all of that style sheet; Chromium does (svg-chromium.test.ts).
  const known = drawings.filter(([name]) => name !== "stylesheet.svg");

  it.each(ofRing(known, 4))("%s looks as librsvg draws it, at any width", async (name, file) => {
    const master = stored(file);
    for (const width of [236, LARGE]) {
      const { bytes, masterFacts, spec } = await (width === LARGE
        ? builtLarge(name, file)
        : build(master, { width, format: "png", effort: "quick" }));
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height: spec.height });
      const mine = await bitmap(sharp(bytes), 4);
      const theirs = await drawnBySharp(master, masterFacts, width);
      for (const ground of [255, 0]) {
        const likeness = psnr(onGround(mine, ground), onGround(theirs, ground));
        expect(likeness, `${name} at ${width} on ${ground}`).toBeGreaterThan(LEAST_PSNR_DB[name] ?? 24);
      }
    }
  });

  it.each([
    ["opacity", 'opacity=".5"'],
    ["a filter", 'filter="url(#f)"'],
    ["a clip", 'clip-path="url(#c)"'],
    ["a style", 'style="isolation:isolate"'],
  ])("is drawn without what lies far beside the page with %s", async (_, layer) => {
    const resources =
      '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><clipPath id="c"><rect width="50" height="50"/></clipPath>';
    const seen = '<rect x="10" y="20" width="40" height="30" fill="#0a0"/>';
    const beside = ["-2000", "2500"]
      .map((x) => `<g ${layer}><path d="M${x} 10h40v40z" fill="red"/></g>`)
      .join("");
    const drawn = async (body: string): Promise<Bitmap> =>
      bitmap(sharp((await build(stored(svg(body)), { width: 100, format: "png" })).bytes), 4);
    const mine = await drawn(resources + beside + seen);
    expect(psnr(mine, await drawn(resources + seen))).toBe(Infinity);
    expect(mine.data.some((value) => value === 0xaa)).toBe(true);
  });

  it.each(ofRing(drawings, 6))("%s takes no more memory than predicted", async (name, file) => {
    const asks = [
      { width: 64, format: "png" },
      { width: 500, format: "webp" },
      { width: 750, format: "avif" },
      { width: 1600, format: "jpeg" },
    ] as const;
    const others = asks.map((ask) => () => build(stored(file), ask));
    for (const built of [() => builtLarge(name, file), ...others]) {
      const { facts, predictedBytes } = await built();
      expect(facts.peakBytes * MOST_UNDER).toBeLessThanOrEqual(predictedBytes);
    }
  });

  it.each(ofRing(exported, 6))(
    "%s takes no more memory than predicted, with its styles written out",
    async (_, file) => {
      for (const [width, format] of [
        [64, "png"],
        [1000, "png"],
        [1600, "jpeg"],
      ] as const) {
        const { facts, predictedBytes } = await build(stored(file), { width, format });
        expect(facts.peakBytes * MOST_UNDER).toBeLessThanOrEqual(predictedBytes);
      }
    },
  );

  it("of shapes alone is the same in bands as whole", async () => {
    const shapes =
      '<rect width="100%" height="70%" fill="#36c"/><circle cx="50" cy="50" r="45" fill="red" fill-opacity=".5"/><path d="M5 95L95 3" stroke="#000" stroke-width="4"/>';
    const banded = await build(stored(svg(shapes)), { width: 2560, format: "png", effort: "quick" });
    // A style sheet, even an idle one, has it drawn whole.
    const whole = await build(stored(svg(`<style>q{fill:red}</style>${shapes}`)), {
      width: 2560,
      format: "png",
      effort: "quick",
    });
    expect(banded.facts.peakBytes).toBeLessThan(whole.facts.peakBytes - 10e6);
    const [a, b] = [await bitmap(sharp(banded.bytes), 4), await bitmap(sharp(whole.bytes), 4)];
    expect(psnr(a, b)).toBeGreaterThan(50);
  });
});

describe("the background of a drawing", () => {
  const dot = stored(svg('<circle cx="50" cy="50" r="30" fill="#c00" fill-opacity=".5"/>'));

  it.each(OUTPUT_FORMATS)("stays clear, and is white under JPEG: %s", async (format) => {
    const { bytes } = await build(dot, { width: 236, format, quality: 100 });
    const { hasAlpha } = await sharp(bytes).metadata();
    expect(hasAlpha).toBe(format !== "jpeg");
    const { data } = await bitmap(sharp(bytes), 4);
    const centre = [...data.subarray((118 * 236 + 118) * 4, (118 * 236 + 118) * 4 + 4)];
    const expected = format === "jpeg" ? [230, 127, 127, 255] : [204, 0, 0, 128];
    centre.forEach((sample, i) => expect(Math.abs(sample - expected[i]!)).toBeLessThan(6));
    expect([...data.subarray(0, 4)]).toEqual(
      format === "jpeg" ? [255, 255, 255, 255] : expect.objectContaining({ 3: 0 }),
    );
  });
});

describe("text", () => {
  it.each(["Silverprint", "Größe", "Ελληνικά", "Кириллица", "हिन्दी"])(
    "%s is drawn, in any family",
    async (words) => {
      const inked = async (family: string): Promise<number> => {
        const master = stored(
          svg(`<text x="5" y="60" font-size="16" font-family="${family}">${words}</text>`),
        );
        const { data } = await bitmap(
          sharp((await build(master, { width: 500, format: "png", effort: "quick" })).bytes),
          4,
        );
        return data.filter((value, i) => i % 4 === 3 && value > 128).length;
      };
      for (const family of ["sans-serif", "Times New Roman, serif", "Nowhere", "monospace"]) {
        expect(await inked(family)).toBeGreaterThan(1500);
      }
    },
  );

  it("has a bold and an italic of its own", async () => {
    const drawn = async (style: string): Promise<string> =>
      (
        await build(stored(svg(`<text y="50" ${style}>Ag</text>`)), {
          width: 236,
          format: "png",
          effort: "quick",
        })
      ).bytes.toString("base64");
    const styles = ["", 'font-weight="bold"', 'font-style="italic"'];
    const seen = new Set<string>();
    for (const style of styles) seen.add(await drawn(style));
    expect(seen.size).toBe(3);
  });
});

describe("what cannot be drawn", () => {
  const plan = (
    text: string,
    width: number,
    format: VariantSpec["format"] = "png",
  ): ReturnType<typeof planBuild> => {
    const { document, facts } = sanitize(text);
    return planBuild(facts, document.length, specFor(facts, { width, format: format as "png" }));
  };

  it("is refused by the plan and not tried", () => {
    expect(plan(svg('<rect fill="color-mix(in lch, red, blue)"/>'), 500)).toMatchObject({
      ok: false,
      refusal: "not-supported",
    });
    expect(plan(svg("<g/>"), 6400)).toMatchObject({ ok: false, refusal: "over-limit" });
    expect(plan(svg("<g/>"), 4096, "avif")).toMatchObject({ ok: false, refusal: "over-limit" });
    const swollen = svg(
      '<filter id="f"><feMorphology radius="20"/></filter><g filter="url(#f)"><rect width="99" height="99"/></g>',
    );
    expect(plan(swollen, 64)).toMatchObject({ ok: true });
    expect(plan(swollen, 4096)).toMatchObject({ ok: false, refusal: "not-supported" });
    const scaled = svg(
      '<filter id="f"><feMorphology radius="1"/></filter><g transform="scale(100)"><g filter="url(#f)"><rect width="1" height="1"/></g></g>',
    );
    expect(plan(scaled, 1000)).toMatchObject({ ok: false, refusal: "not-supported" });
  });

  it("is light when it is small and heavy when it is not", () => {
    expect(plan(drawing("icon.svg").toString(), 64)).toMatchObject({ ok: true, lane: "light" });
    expect(plan(drawing("figma.svg").toString(), 1000)).toMatchObject({ ok: true, lane: "heavy" });
  });

  it("fails alone: what comes next is right", async () => {
    const { document, facts } = sanitize(drawing("figma.svg").toString());
    const master = Buffer.from(document);
    const before = (await build(master, { width: 236, format: "png", effort: "quick" })).bytes;
    // More than the arena holds: the facts deny the work, and the order the memory.
    const { work } = sanitize(svg("<g/>")).facts.drawing;
    const lies: SvgFacts = { ...facts, drawing: { ...facts.drawing, ...(work && { work }) } };
    const tooLarge = { ...askedOrder(master, { width: 4096, format: "png" }, lies), peakBytes: 1 };
    expect(await take(tooLarge, master)).toMatchObject({ ok: false, code: "failed" });
    // Far outside the canvas and drawn apart, which resvg gives up on.
    const far = stored(
      svg(
        '<g opacity=".5"><rect x="-90000" width="9" height="9"/><rect x="-90009" width="9" height="9"/></g>',
      ),
    );
    await order(far, { width: 64, format: "png" });
    expect(
      (await build(master, { width: 236, format: "png", effort: "quick" }, facts)).bytes.equals(before),
    ).toBe(true);
  });

  it("fails if it would take too long, also where the facts are older than the count of its work", async () => {
    const { document, facts } = sanitize(
      svg('<path d="M0 0H1000" stroke="red" stroke-dasharray=".001"/>'.repeat(300)),
    );
    const { work, ...drawing } = facts.drawing;
    expect(work?.dashes).toBe(300 * 500_000);
    const older: SvgFacts = { ...facts, drawing };
    expect(await order(Buffer.from(document), { width: 64, format: "png" }, older)).toMatchObject({
      reason: "it takes too long to draw at this size",
    });
    const { drawing: harmless, ...rest } = sanitize(svg("<g/>")).facts;
    const without: SvgFacts = { ...rest, drawing: { ...harmless } };
    delete without.drawing.work;
    expect(await order(stored(svg("<g/>")), { width: 64, format: "png" }, without)).toMatchObject({
      ok: true,
    });
  });

  it("fails if it would take too long at the size at which it is drawn, where strokes do not scale", async () => {
    const line = '<path d="M0 0H9e6" stroke="red" stroke-width="900" vector-effect="non-scaling-stroke"/>';
    const { document, facts } = sanitize(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9e6" height="9e6">${line.repeat(3000)}</svg>`,
    );
    // At its own size, they are thin.
    expect(facts.drawing.undrawable).toBeNull();
    expect(undrawable(facts, { width: 1000, height: 1000 })).toBeNull();
    expect(await order(Buffer.from(document), { width: 1000, format: "png" }, facts)).toMatchObject({
      reason: "it takes too long to draw at this size",
    });
  });

  it("fails if the stored facts do not match the file", async () => {
    const { facts } = sanitize(svg(""));
    const lies: SvgFacts = { ...facts, drawing: { ...facts.drawing, undrawable: "it says so" } };
    const honest = askedOrder(stored(svg("")), { width: 64, format: "png" }, facts);
    expect(await take({ ...honest, facts: lies }, stored(svg("")))).toMatchObject({
      reason: "it says so",
    });
  });
});
