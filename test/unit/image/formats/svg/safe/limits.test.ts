/** The limits of a drawing (RULES 6.4), at each limit and one past it. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { sanitizeSvg, SvgRejectedError } from "../../../../../../src/image/formats/svg/safe/sanitize.ts";
import { PRICES, Work } from "../../../../../../src/image/formats/svg/work/work.ts";
import { SVG } from "../../../../../../src/limits.ts";
import { sanitize, svg } from "../../../../../../scripts/samples/svg/svg.ts";

const refusal = (text: string): string => {
  try {
    sanitize(text);
    return "";
  } catch (error) {
    if (error instanceof SvgRejectedError) return error.message;
    throw error;
  }
};

/** Checks that `make(limit)` is taken, that `make(limit + 1)` is refused, and that the reason names the limit. */
function holds(limit: number, make: (size: number) => string): void {
  expect(refusal(make(limit))).toBe("");
  expect(refusal(make(limit + 1))).toContain(String(limit));
}

const numbers = (count: number): string => "M" + "1 ".repeat(Math.ceil(count / 2)).slice(0, count - 1);

describe("at the limit, and one past it", () => {
  it("bytes", () => {
    const frame = svg("<!---->").length;
    holds(SVG.maxBytes, (size) => svg(`<!--${" ".repeat(size - frame)}-->`));
  });

  it("elements, those left out included", () => {
    holds(SVG.elementsMax, (size) => svg("<x:y xmlns:x='x'/>".repeat(10) + "<g/>".repeat(size - 11)));
  });

  it("depth", () => {
    holds(SVG.depthMax, (size) => svg("<g>".repeat(size - 1) + "</g>".repeat(size - 1)));
  });

  it("attributes of an element", () => {
    holds(SVG.attributesPerElementMax, (size) =>
      svg(`<g ${Array.from({ length: size }, (_, i) => `a${i}=""`).join(" ")}/>`),
    );
  });

  it("length of an attribute, and of a path", () => {
    holds(SVG.attributeMaxCharacters, (size) => svg(`<g class="${"c".repeat(size)}"/>`));
    holds(SVG.attributeMaxCharacters, (size) => svg(`<g class="${"&#99;".repeat(size)}"/>`));
    holds(SVG.pathMaxCharacters, (size) => svg(`<path d="${numbers(size)}"/>`));
  });

  it("length of the source that draw.io keeps in its drawings, which is not stored", () => {
    const withSource = (source: string): string =>
      `<svg xmlns="http://www.w3.org/2000/svg" content="${source}" width="9" height="9"><path d="M0 0h9"/></svg>`;
    holds(SVG.sourceMaxCharacters, (size) => withSource("m".repeat(size)));
    expect(sanitize(withSource("mxfile".repeat(10_000))).document).not.toContain("mxfile");
  });

  it("text and style", () => {
    holds(SVG.textMaxCharacters, (size) => svg(`<text>${"t".repeat(size)}</text>`));
    holds(SVG.styleMaxCharacters, (size) => svg(`<style>${" ".repeat(size)}</style>`));
    holds(SVG.styleSelectorsMax, (size) => svg(`<style>${"a,".repeat(size - 1)}a{fill:red}</style>`));
  });

  it("elements drawn by references: a use of a use of a use", () => {
    const tenfold = (levels: number): string =>
      Array.from(
        { length: levels },
        (_, i) => `<g id="g${i + 1}">${`<use href="#g${i}"/>`.repeat(10)}</g>`,
      ).join("");
    expect(refusal(svg(`<g id="g0"/>${tenfold(4)}`))).toBe("");
    expect(refusal(svg(`<g id="g0"/>${tenfold(6)}`))).toContain(String(SVG.drawnElementsMax));
    expect(refusal(svg(`<g id="g0"/>${tenfold(11)}`))).toContain(String(SVG.drawnElementsMax));
  });

  it.each([
    ["a pattern", '<pattern id="p">BODY</pattern>', '<rect fill="url(#p)"/>'],
    ["a mask", '<mask id="p">BODY</mask>', '<rect style="mask:url(#p)"/>'],
    ["a clip", '<clipPath id="p">BODY</clipPath>', '<rect clip-path="url(#p)"/>'],
    ["a marker", '<marker id="p">BODY</marker>', '<path d="M0 0" marker-mid="url(#p)"/>'],
    ["a style sheet", '<style>.c{fill:url("#p")}</style><pattern id="p">BODY</pattern>', '<rect class="c"/>'],
  ])("elements drawn by %s", (_, target, user) => {
    const make = (count: number): string =>
      svg(target.replace("BODY", "<g/>".repeat(1000)) + user.repeat(count));
    expect(refusal(make(100))).toBe("");
    expect(refusal(make(260))).toContain(String(SVG.drawnElementsMax));
  });

  it("markers at the corners of one path", () => {
    const make = (corners: number): string =>
      svg(
        `<marker id="m">${"<g/>".repeat(100)}</marker><path d="${numbers(2 * corners)}" marker-mid="url(#m)"/>`,
      );
    expect(refusal(make(1000))).toBe("");
    expect(refusal(make(3000))).toContain(String(SVG.drawnElementsMax));
  });

  it("references nested in one another", () => {
    const link = (at: number, end: number): string =>
      `<g id="g${at}">${at === end ? "" : `<use href="#g${at + 1}"/>`}</g>`;
    holds(SVG.referencesNestedMax, (size) =>
      svg('<use href="#g1"/>' + Array.from({ length: size }, (_, i) => link(i + 1, size)).join("")),
    );
  });

  it("filter primitives, passes, octaves, kernels and regions", () => {
    const filter = (body: string, attributes = ""): string =>
      svg(`<filter id="f" ${attributes}>${body}</filter>`);
    holds(SVG.filterPrimitivesMax, (size) => filter("<feOffset/>".repeat(size)));
    holds(SVG.filterPassesMax, (size) =>
      svg(`<filter id="f"><feOffset/></filter>${'<g filter="url(#f)"/>'.repeat(size - 1)}`),
    );
    holds(SVG.filterOctavesMax, (size) => filter(`<feTurbulence numOctaves="${size}"/>`));
    expect(refusal(filter('<feConvolveMatrix order="9"/>'))).toBe("");
    expect(refusal(filter('<feConvolveMatrix order="9 10"/>'))).toContain(String(SVG.filterKernelMax));
    holds(SVG.filterRegionMaxShare, (size) => filter("", `width="${size}"`));
    holds(SVG.filterRegionMaxShare * 100, (size) => filter("", `x="-${size}%"`));
    holds(SVG.filterRegionMaxUnits, (size) => filter("", `filterUnits="userSpaceOnUse" height="${size}"`));
    expect(refusal(filter("", 'width="1e999"'))).not.toBe("");
  });
});

/** Each took from seconds to a minute before it was bounded; a hang is noticed by the test's own time limit. */
describe("drawings that are made to take long", () => {
  const many = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => make(i));

  it.each<[string, string]>([
    ["one id for all", '<g id="x"/>'.repeat(20_000) + '<use href="#x"/>'.repeat(20_000)],
    [
      "many rules for one class",
      `<style>${many(4900, (i) => `.a{fill:url(#g${i})}`).join("")}</style>${'<g class="a"/>'.repeat(4000)}`,
    ],
    ["a long number", `<svg viewBox="${"1".repeat(30_000)}"/>`.repeat(100)],
    ["space in a length", `<svg viewBox="0 0 1 1" width="1${" ".repeat(30_000)}!"/>`.repeat(100)],
    ["space in a reference", `<use href="x${" ".repeat(30_000)}x"/>`.repeat(100)],
    ["names of no function", `<g transform="${"a".repeat(32_000)}"/>`.repeat(100)],
    ["functions in one another", `<g fill="${"rgb(".repeat(4000)},1${")".repeat(4000)}"/>`.repeat(100)],
    ["words that could be functions", `<g filter="${"a-".repeat(16_000)}(1)"/>`.repeat(100)],
    ["blocks in one another", `<style>${"a{".repeat(250_000)}</style>`],
  ])("%s is taken or refused", (_, body) => {
    expect(refusal(svg(body))).toEqual(expect.any(String));
  });
});

describe("the price of a rule", () => {
  const names = (count: number, sign: string): string[] =>
    Array.from({ length: count }, (_, i) => `${sign}${i}`);
  const spent = (selectors: string[], declarations: string[]): number => {
    const file = new TextEncoder().encode(
      svg(`<style>${selectors.join()}{${declarations.join("")}}</style>`),
    );
    const work = new Work(file.length);
    sanitizeSvg(file, work);
    return work.spent;
  };
  const references = (count: number): string[] => names(count, "fill:url(#").map((each) => `${each});`);

  it("grows with its selectors times its declarations, before any of them is noted", () => {
    const noted = 200 * 100 * PRICES.noted;
    expect(spent(names(200, ".a"), references(100))).toBeGreaterThan(noted);
    expect(spent([".a"], references(100))).toBeLessThan(noted);
    expect(
      refusal(svg(`<style>${names(4000, ".a").join()}{${references(2000).join("")}}</style>`)),
    ).toContain("takes too long");
  });

  it("counts selectors that are the same once, and references that are", () => {
    const noted = 1000 * 500 * PRICES.noted;
    expect(spent(Array<string>(1000).fill("a"), Array<string>(500).fill("fill:url(#a);"))).toBeLessThan(
      noted,
    );
  });
});

describe("the price of `&`", () => {
  it("is taken before the selectors of the enclosing rule are written for each", () => {
    const nested = (count: number): string =>
      svg(`<style>.${"a".repeat(100_000)}{${"&amp; ".repeat(count)}{fill:red}}</style>`);
    expect(refusal(nested(10))).toBe("");
    // They would be 600 MB, which is more than the longest string.
    expect(refusal(nested(6000))).toContain("takes too long");
  });
});

describe("the document that is stored", () => {
  it("may be twice as large as the largest file, however its characters are escaped", () => {
    const quoted = (count: number): string => svg(`<g class='${'"'.repeat(32_000)}'/>`.repeat(count));
    expect(sanitize(quoted(20)).document.length).toBeGreaterThan(5 * quoted(20).length);
    expect(refusal(quoted(40))).toBe("");
    expect(refusal(quoted(50))).toContain(String(SVG.storedMaxCharacters));
  });

  it("is XML, also where an escape of CSS stands for what XML does not allow", () => {
    const { document } = sanitize(
      svg(
        `<style>.a\\fffe b,[data-c="\\ffff "]{font-family:"\\fffe "}` +
          `.d{fill:url("#\\ffff ")}</style><g style='font-family:"\\fffe "'/>`,
      ),
    );
    expect(document).toContain("\ufffd");
    expect(document).not.toMatch(/[\ufffe\uffff]/);
  });
});

describe("embedded images", () => {
  const image = (png: Buffer): string =>
    svg(`<image href="data:image/png;base64,${png.toString("base64")}"/>`);
  const flat = (width: number, height: number): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background: "#123" } })
      .png()
      .toBuffer();

  it("are kept up to the limits of bytes and pixels", async () => {
    const small = await flat(2000, 2000);
    expect(sanitize(image(small)).document).toContain(small.toString("base64"));
    expect(refusal(image(await flat(2000, 2001)))).toContain(String(SVG.embeddedImageMaxPixels));
    const padded = (size: number): Buffer => {
      // A chunk that decoders skip, before the end.
      const end = small.subarray(-12);
      const chunk = Buffer.alloc(size - small.length);
      chunk.writeUInt32BE(chunk.length - 12, 0);
      chunk.write("prVt", 4, "latin1");
      return Buffer.concat([small.subarray(0, -12), chunk, end]);
    };
    expect(refusal(image(padded(SVG.embeddedImageMaxBytes + 1)))).toContain(
      String(SVG.embeddedImageMaxBytes),
    );
    expect(refusal(image(padded(SVG.embeddedImageMaxBytes)))).toBe("");
  });

  it("are counted wherever they are drawn", async () => {
    const data = (await flat(2000, 2000)).toString("base64");
    const make = (count: number): string =>
      svg(`<image id="i" href="data:image/png;base64,${data}"/>${'<use href="#i"/>'.repeat(count)}`);
    expect(refusal(make(7))).toBe("");
    expect(refusal(make(8))).toContain(String(SVG.embeddedDrawnMaxPixels));
  });

  it("of every raster format are kept, and written without spaces; broken and animated ones are not", async () => {
    const still = sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } });
    for (const kind of ["png", "jpeg", "gif", "webp", "avif"] as const) {
      const base64 = (await still.clone().toFormat(kind).toBuffer()).toString("base64");
      const { document, facts } = sanitize(
        svg(`<image href=" data:image/${kind};base64,${base64.replace(/.{20}/g, "$&\n")} "/>`),
      );
      expect(document).toContain(`data:image/${kind};base64,${base64}"`);
      expect(facts.drawing.undrawable === null).toBe(kind !== "webp" && kind !== "avif");
      const other = kind === "png" ? "gif" : "png";
      expect(sanitize(svg(`<image href="data:image/${other};base64,${base64}"/>`)).document).not.toContain(
        "image",
      );
      expect(
        sanitize(svg(`<image href="data:image/${kind};base64,${base64.slice(0, 24)}"/>`)).document,
      ).not.toContain("image");
    }
    const frames = Buffer.alloc(4 * 8 * 3, 9).fill(200, 48);
    const gif = await sharp(frames, { raw: { width: 4, height: 8, channels: 3, pageHeight: 4 } })
      .gif()
      .toBuffer();
    expect(
      sanitize(svg(`<image href="data:image/gif;base64,${gif.toString("base64")}"/>`)).document,
    ).not.toContain("image");
  });
});

describe("the size of a drawing", () => {
  const sizeOf = (attributes: string): [number, number] | string => {
    const text = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`;
    const reason = refusal(text);
    if (reason) return reason;
    const { width, height } = sanitizeSvg(new TextEncoder().encode(text)).facts;
    return [width, height];
  };

  it.each<[string, [number, number]]>([
    ["", [300, 150]],
    ['width="640" height="480"', [640, 480]],
    ['width="640px" height="48e1"', [640, 480]],
    ['width="1in" height="2.54cm"', [96, 96]],
    ['width="25.4mm" height="101.6Q"', [96, 96]],
    ['width="72pt" height="6pc"', [96, 96]],
    ['width="1em" height="1em" viewBox="0 0 24 24"', [16, 16]],
    ['viewBox="0 0 24 12"', [24, 12]],
    ['viewBox="-5,-5 , 24.4 12.4"', [24, 12]],
    ['width="100%" height="100%" viewBox="0 0 24 12"', [24, 12]],
    ['width="100%" height="50"', [300, 50]],
    ['width="240" viewBox="0 0 24 12"', [240, 120]],
    ['height="240" viewBox="0 0 24 12"', [480, 240]],
    ['width="auto" height="nonsense" viewBox="0 0 9"', [300, 150]],
    ['width="0.1" height="0.1"', [1, 1]],
    ['width="100000" height="50000"', [8192, 4096]],
    ['width="20000" height="1"', [8192, 1]],
  ])("%s", (attributes, size) => {
    expect(sizeOf(attributes)).toEqual(size);
  });

  it.each([
    'width="0"',
    'height="-1"',
    'viewBox="0 0 0 1"',
    'viewBox="0 0 1 -1"',
    'width="1e300"',
    'width="1e-9"',
  ])("%s is refused", (attributes) => {
    expect(sizeOf(attributes)).toEqual(expect.any(String));
  });
});
