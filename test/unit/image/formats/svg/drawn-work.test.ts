/** The work of a drawing is counted from its geometry (RULES 6.4). A drawing that would hold the builder up is not drawn. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import {
  CALL_MAX_NANOSECONDS,
  callNanoseconds,
  drawingNanoseconds,
} from "../../../../../src/image/formats/svg/work/cost.ts";
import { SvgRejectedError } from "../../../../../src/image/formats/svg/safe/sanitize.ts";
import type { DrawnWork, SvgFacts } from "../../../../../src/image/model/facts.ts";
import { planPlaceholder } from "../../../../../src/image/plan/plan-placeholder.ts";
import { planBuild } from "../../../../../src/image/plan/plan.ts";
import { specFor } from "../../../../../scripts/harness/builds.ts";
import { drawings, exported, sanitize } from "../../../../../scripts/samples/svg/svg.ts";
import { slowToDraw } from "../../../../../scripts/samples/svg/slow-to-draw.ts";

const PNG = await sharp({ create: { width: 20, height: 30, channels: 3, background: "red" } })
  .png()
  .toBuffer();
const canvas = (body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500" viewBox="0 0 1000 500">${body}</svg>`;
const factsOf = (body: string): SvgFacts => sanitize(canvas(body)).facts;
const workOf = (body: string): DrawnWork => {
  const { drawing } = factsOf(body);
  expect(drawing.undrawable).toBe(null);
  return drawing.work!;
};
const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join("");

describe("counted", () => {
  it("dashes: the length of a path by that of a dash and its gap", () => {
    const line = (style: string): string => `<path d="M0 0H1000" stroke="red" ${style}/>`;
    expect(workOf(line('stroke-dasharray="6 4"')).dashes).toBe(100);
    expect(workOf(line('stroke-dasharray="5"')).dashes).toBe(100);
    expect(workOf(line('stroke-dasharray="1 2 3 4"')).dashes).toBe(200);
    expect(workOf(line('style="stroke-dasharray:6,4"')).dashes).toBe(100);
    expect(workOf(`<style>path{stroke-dasharray:6 4}</style>${line("")}`).dashes).toBe(100);
    expect(workOf(`<g stroke-dasharray="6 4" transform="scale(3)">${line("")}</g>`).dashes).toBe(100);
    expect(workOf(line('style="stroke-dasharray:calc(3px*2) var(--x,4)"')).dashes).toBe(100);
    // The renderer gives up above a million in one path.
    expect(factsOf(line('stroke-dasharray=".0001"')).drawing.work!.dashes).toBe(1_000_000);
    expect(workOf(line('stroke-dasharray="none"')).dashes).toBe(0);
  });

  it("lines, and the rows that they cross, as shares of the canvas", () => {
    expect(workOf('<path d="M0 0V250H100V0z"/>')).toMatchObject({ edges: 4, rows: 1 });
    expect(workOf('<path d="M0 0v250h100v-250z"/>')).toMatchObject({ edges: 4, rows: 1 });
    expect(workOf('<polygon points="0,0 0,250 100,250 100,0"/>')).toMatchObject({ edges: 4, rows: 1 });
    expect(workOf('<rect width="100" height="250"/>')).toMatchObject({ edges: 4, rows: 1 });
    expect(workOf('<rect width="10%" height="50%"/>')).toMatchObject({ edges: 4, rows: 1 });
    expect(workOf('<g transform="scale(2 .5)"><rect width="100" height="250"/></g>')).toMatchObject({
      rows: 0.5,
    });
    expect(workOf('<rect width="100" height="250" transform="rotate(90)"/>').rows).toBeCloseTo(0.4);
    // No line crosses more rows than there are.
    expect(workOf('<rect width="100" height="250" transform="scale(1000)"/>').rows).toBe(4);
    const zigzag = `M0 0${many(50, (i) => `L${i} 500L${i} 0`)}`;
    expect(workOf(`<path d="${zigzag}"/>`)).toMatchObject({ edges: 100, rows: 100, crossings: 100 * 100 });
    expect(workOf(`<path d="M0 0"/>${"<path d='M0 0V500'/>".repeat(7)}`)).toMatchObject({
      rows: 7,
      crossings: 7,
    });
  });

  it("both sides of a stroke, and its ends", () => {
    const { edges, rows, columns } = workOf('<path d="M0 0V250" fill="none" stroke="red" stroke-width="5"/>');
    expect({ edges, rows, columns }).toEqual({ edges: 4, rows: 2 * 0.5 + 2 * (5 / 500), columns: 0 });
    expect(workOf('<path d="M0 0H250" fill="none" stroke="red"/>').columns).toBe(0.25);
  });

  it("areas that are painted, plainly and with gradients", () => {
    expect(workOf('<rect width="500" height="250"/>').plain).toBe(0.25);
    expect(workOf('<rect x="750" width="500" height="500"/>').plain).toBe(0.25);
    expect(workOf('<linearGradient id="g"/><rect width="500" height="250" fill="url(#g)"/>')).toMatchObject({
      plain: 0,
      shaded: 0.25,
      layered: 0,
    });
    expect(workOf('<g fill="none"><rect width="500" height="250"/></g>').plain).toBe(0);
  });

  it("letters, and the rows that they cross by their size", () => {
    const small = workOf('<text font-size="10">abcdefghij</text>');
    expect(small).toMatchObject({ letters: 10, edges: 400 });
    expect(workOf('<g style="font-size:20px"><text>abcde<tspan>fghij</tspan></text></g>')).toMatchObject({
      letters: 10,
      rows: 2 * small.rows,
    });
  });

  it("layers, by the box of what is in them", () => {
    const group = (body: string): number => workOf(`<g opacity=".5">${body}</g>`).layered;
    expect(group('<rect width="500" height="250"/>')).toBe(0.25);
    expect(group('<rect width="10" height="10"/><rect x="490" y="240" width="10" height="10"/>')).toBe(0.25);
    expect(workOf('<g style="opacity:.5"><rect width="500" height="250"/></g>').layered).toBe(0.25);
    expect(
      workOf('<style>.a{opacity:.5}</style><g class="a"><rect width="500" height="250"/></g>').layered,
    ).toBe(0.25);
    // The largest layer has 25 canvases. All but one of them are not composed.
    expect(group('<rect x="-9000" y="-9000" width="20000" height="20000"/>')).toBeCloseTo(1 + 24 * 0.1);
    expect(group('<g opacity=".5"><rect width="500" height="250"/></g>'.repeat(3))).toBe(4 * 0.25);
  });

  it("filters, by their region", () => {
    const of = (region: string, shape = '<rect width="500" height="250" filter="url(#f)"/>'): number =>
      workOf(`<filter id="f" ${region}><feOffset/><feOffset/></filter>${shape}`).filtered;
    expect(of("")).toBeCloseTo(2 * 0.25 * 1.44);
    expect(of('x="0" y="0" width="100%" height="1"')).toBeCloseTo(2 * 0.25);
    expect(of('filterUnits="userSpaceOnUse" x="0" y="0" width="1000" height="250"')).toBe(1);
    expect(of('filterUnits="userSpaceOnUse" x="-9000" y="-9000" width="20000" height="20000"')).toBe(50);
  });

  it("what is drawn by reference, at its place and each time", () => {
    expect(workOf('<defs><path id="a" d="M0 0V250"/></defs>').rows).toBe(0);
    expect(workOf('<defs><path id="a" d="M0 0V250"/></defs>' + '<use href="#a" x="5"/>'.repeat(3)).rows).toBe(
      1.5,
    );
    const symbol = '<symbol id="s" viewBox="0 0 10 10"><path d="M0 0V10"/></symbol>';
    expect(workOf(`${symbol}<use href="#s" width="250" height="250"/>`).rows).toBe(0.5);
    expect(workOf('<svg viewBox="0 0 10 10" width="250" height="250"><path d="M0 0V10"/></svg>').rows).toBe(
      0.5,
    );
    const marker =
      '<marker id="m" markerWidth="4" markerHeight="4" viewBox="0 0 8 8"><path d="M0 0V8"/></marker>';
    const line = '<path d="M0 0H1L2 0" fill="none" marker-mid="url(#m)" stroke-width="5"/>';
    const corners = sanitize(canvas(marker + line)).facts.drawing.work!.rows / ((4 * 5) / 500);
    expect(corners).toBeGreaterThanOrEqual(3);
    expect(corners).toBeLessThanOrEqual(6);
  });

  it("pixels of embedded images, at each place", () => {
    const image = `<image id="i" width="9" height="9" href="data:image/png;base64,${PNG.toString("base64")}"/>`;
    expect(workOf(image).decoded).toBe(20 * 30);
    expect(workOf(`${image}<use href="#i"/><g style="--x:0" id="ü">${image}</g>`).decoded).toBe(3 * 20 * 30);
  });

  it("all that the enlarged tiles of a pattern hold, for each element that it paints", () => {
    const pattern = (side: number): string =>
      `<pattern id="p" width="${side}" height="${side}" patternUnits="userSpaceOnUse"><rect width="9" height="9"/></pattern>`;
    const painted = '<rect width="1000" height="500" fill="url(#p)"/>';
    const copies = (200 / 25) ** 2;
    expect(workOf(pattern(250) + painted).edges).toBe(4 + 4);
    expect(workOf(pattern(25) + painted).edges).toBe(4 + 4 * copies);
    expect(workOf(pattern(25) + painted.repeat(9)).edges).toBe(9 * (4 + 4 * copies));
  });

  it.each([
    ["pattern", "patternContentUnits", 'width="1" height="1"', "fill"],
    ["mask", "maskContentUnits", "", "mask"],
    ["clipPath", "clipPathUnits", "", "clip-path"],
  ])("the content of a %s in shares of what it is for", (name, units, size, property) => {
    const content = (side: number): string => `<rect width="${side}" height="${side}"/>`;
    const of = (attributes: string, side: number): DrawnWork =>
      workOf(
        `<${name} id="a" ${size} ${attributes}>${content(side)}</${name}><rect width="1000" height="250" ${property}="url(#a)"/>`,
      );
    const [shares, users] = [of(`${units}="objectBoundingBox"`, 1), of("", 1)];
    expect(shares.plain - users.plain).toBeCloseTo(0.5);
  });

  it("the document that is drawn, when styles are written out", () => {
    const work = workOf(
      '<style>rect{--s:.5;width:calc(1000px*var(--s));height:50%}</style><rect width="9" height="9"/>',
    );
    expect(work).toMatchObject({ edges: 4, plain: 0.25 });
  });
});

describe("a drawing that would hold the builder up", () => {
  const dashed = (count: number, dash: number): string =>
    `<g stroke="red" stroke-dasharray="${dash}">${many(count, (i) => `<path d="M0 ${i}H1000"/>`)}</g>`;

  it.each<[string, string, number]>([
    ["300 lines of dashes of a thousandth", dashed(300, 0.001), 64],
    ["ten such lines", dashed(10, 0.001), 64],
    [
      "patterns in patterns, of which all tiles are small",
      many(
        9,
        (i) =>
          `<pattern id="p${i}" width="40" height="40" patternUnits="userSpaceOnUse"><rect width="30" height="30" fill="${i ? `url(#p${i - 1})` : "red"}"/></pattern>`,
      ) + '<rect width="1000" height="500" fill="url(#p8)"/>',
      64,
    ],
    [
      "a zigzag of 40,000 edges",
      `<path d="M0 0${many(20_000, (i) => `L${i / 20} 500L${i / 20} 0`)}"/>`,
      1000,
    ],
    [
      "3,000 layers of the whole canvas",
      '<g opacity=".9"><rect width="1000" height="500"/><path d="M0 0"/></g>'.repeat(3000),
      236,
    ],
    [
      "a sum for a dash",
      `<g style="stroke-dasharray:calc(.002px/2);stroke:red">${dashed(300, 1).replaceAll('stroke-dasharray="1"', "")}</g>`,
      64,
    ],
  ])("%s is refused, or has no raster and no placeholder", (_, body, width) => {
    let facts: SvgFacts;
    try {
      ({ facts } = sanitize(canvas(body)));
    } catch (error) {
      expect(error).toBeInstanceOf(SvgRejectedError);
      return;
    }
    expect(planBuild(facts, body.length, specFor(facts, { width, format: "png" }))).toMatchObject({
      ok: false,
      refusal: "not-supported",
    });
    if (width === 64) expect(planPlaceholder(facts, body.length).ok).toBe(false);
  });

  it.each(Object.entries(slowToDraw))("%s takes at most so long per call, or is not drawn", (_, make) => {
    let state = 1;
    const random = (from = 0, to = 1): number => {
      state = (state * 48_271) % 2_147_483_647;
      return from + ((to - from) * state) / 2_147_483_647;
    };
    const { facts } = sanitize(canvas(make(1, random)));
    for (const width of [64, 236, 1000]) {
      const spec = specFor(facts, { width, format: "png" });
      if (!planBuild(facts, 9000, spec).ok) continue;
      expect(callNanoseconds(facts, spec)).toBeLessThanOrEqual(CALL_MAX_NANOSECONDS);
    }
    // More of the same never takes less.
    const less = sanitize(canvas(make(0.3, random))).facts;
    const size = { width: 500, height: 250 };
    expect(drawingNanoseconds(less, size)).toBeLessThanOrEqual(drawingNanoseconds(facts, size));
  });

  it.each([...drawings, ...exported])("%s, as tools write it, is drawn", (_, file) => {
    const { facts } = sanitize(file.toString());
    expect(planBuild(facts, file.length, specFor(facts, { width: 1000, format: "webp" })).ok).toBe(true);
  });
});
