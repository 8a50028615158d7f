/** Styles written out for the renderer: the results, the styles beyond it, and that nothing makes it run wild. */
import { describe, expect, it } from "vitest";
import { restyled, Unresolved } from "../../../../../src/image/formats/svg/inline-styles/inline-styles.ts";
import { faultsOf } from "../../../../../scripts/harness/svg-check.ts";
import { styleSamples } from "../../../../../scripts/samples/svg/styles.ts";
import { exported, sanitize, svg } from "../../../../../scripts/samples/svg/svg.ts";

const drawn = (body: string, attributes = ""): string => {
  const text = restyled(sanitize(svg(body, attributes)).document);
  return /<svg[^>]*>([\s\S]*)<\/svg>/.exec(text)?.[1] ?? "";
};
const undrawable = (body: string): string | null => sanitize(svg(body)).facts.drawing.undrawable;

describe("styles written out", () => {
  it.each([
    ["<style>.a{fill:red}#b{fill:blue}</style><g class='a' id='b'/>", '<g id="b" fill="blue"/>'],
    ["<style>.a{fill:red}g{fill:blue}</style><g class='a' fill='#fff'/>", '<g fill="red"/>'],
    ["<style>g{fill:red!important}</style><g style='fill:blue'/>", '<g fill="red"/>'],
    ["<style>g,h{fill:red}g:not([id]){stroke:blue}</style><g/>", '<g fill="red" stroke="blue"/>'],
    [
      "<style>:root{--a:1px;--b:calc(var(--a)*3)}g{stroke-width:var(--b)}</style><g/>",
      '<g stroke-width="3px"/>',
    ],
    ['<g style="fill:var(--none);stroke:var(--none,red)"/>', '<g stroke="red"/>'],
    ['<g fill="red" style="fill:var(--none)"/>', "<g/>"],
    ['<g style="fill:#123;fill:rgb(1,2)"/>', '<g fill="#123"/>'],
    ['<g fill="rgb(10 20 30 / 50%)"/>', '<g fill="rgba(10, 20, 30, 0.5)"/>'],
    [
      '<linearGradient id="a"/><g fill="url(#a) light-dark(red, blue)"/>',
      '<linearGradient id="a"/><g fill="url(#a) red"/>',
    ],
    ['<g fill="url(#a) light-dark(red, blue)"/>', '<g fill="red"/>'],
    ['<g fill="url(#a)" stroke="url(#a)"/>', '<g fill="none" stroke="none"/>'],
    ['<g fill="NONE" stroke="REBECCApurple"/>', '<g fill="none" stroke="#663399"/>'],
    ['<g style="fill:red;fill:red blue;stroke:#fff;stroke:#12"/>', '<g fill="red" stroke="#fff"/>'],
    ['<g fill="nocolour" stroke-width="-1" stroke-linecap="no"/>', "<g/>"],
    ['<g style="stroke-width:1Q;letter-spacing:3"/>', '<g stroke-width="0.9448818897637796"/>'],
    [
      '<g filter="url(#a)" clip-path="url(#b)" mask="url(#c)"/>',
      '<g filter="none" clip-path="none" mask="none"/>',
    ],
    [
      '<path id="é b"/><use href="#é b"/><use href="#%C3%A9%20b"/>',
      '<path id="id-0"/><use href="#id-0"/><use href="#id-0"/>',
    ],
    [
      '<path id="a"/><path id="a"/><use href="#a"/><use href="#none"/>',
      '<path id="a"/><path/><use href="#a"/><use/>',
    ],
    ['<switch><g requiredExtensions="x"/><g id="b"/><g id="c"/></switch>', '<g><g id="b"/></g>'],
    [
      '<text text-transform="none" style="text-transform:uppercase">a<tspan>ß</tspan></text>',
      "<text>A<tspan>SS</tspan></text>",
    ],
    [
      '<rect style="vector-effect:non-scaling-stroke" stroke="red" transform="scale(4)"/>',
      '<rect stroke="red" transform="scale(4)" stroke-width="0.25"/>',
    ],
    ['<g style="color-scheme:only dark"><g fill="light-dark(red,blue)"/></g>', '<g><g fill="blue"/></g>'],
    [
      '<text style="font:italic bold 12px/1.5 A, &quot;B C&quot;"/>',
      '<text font-style="italic" font-weight="bold" font-size="12px" font-family="A, &quot;B C&quot;"/>',
    ],
    ['<rect style="width:5px;cx:4px"/>', '<rect width="5px"/>'],
    [
      '<rect style="transform:rotate(90deg);transform-origin:10px center"/>',
      '<rect transform="translate(10 50) rotate(90) translate(-10 -50)"/>',
    ],
    ['<text style="white-space:pre">a</text>', '<text white-space="pre" xml:space="preserve">a</text>'],
    ['<g style="mix-blend-mode:multiply;background:red"/>', '<g style="mix-blend-mode:multiply;"/>'],
  ])("%s", (body, written) => {
    expect(drawn(body)).toBe(written);
  });

  it("enlarges the small tiles of a pattern, each still cut off at its bounds", () => {
    const pattern = (width: number): string =>
      drawn(`<pattern id="p" width="${width}" height="60" patternUnits="userSpaceOnUse"><path/></pattern>`);
    const tile = '<svg x="0" y="0" width="6" height="60" viewBox="0 0 6 60" id="tile-0"><path/></svg>';
    const copies = [6, 12].map((x) => `<use href="#tile-0" transform="translate(${x} 0)"/>`).join("");
    expect(pattern(6)).toBe(
      `<pattern id="p" width="18" height="60" patternUnits="userSpaceOnUse"><g><g id="tile-1">${tile}${copies}</g></g></pattern>`,
    );
    const small = '<pattern id="p" width="2" height="2" patternUnits="userSpaceOnUse"><path/></pattern>';
    expect(drawn(small)).toContain('width="20"');
    for (const rest of ['<use href="#p"/>', "<g/>".repeat(2000)])
      expect(drawn(small + rest)).toContain('width="2"');
    expect(pattern(60)).toContain('width="60" height="60" patternUnits="userSpaceOnUse"><path/>');
    expect(
      undrawable('<pattern width=".4" height="9" patternUnits="userSpaceOnUse"><path/></pattern>'),
    ).toEqual(expect.any(String));
  });

  it("wraps elements whose transform is too small for the renderer", () => {
    expect(drawn('<path transform="scale(.0001)"/>')).toBe(
      '<g transform="scale(.0001) scale(64)"><path transform="scale(0.015625)"/></g>',
    );
    expect(drawn('<path transform="scale(.001)"/>')).toBe('<path transform="scale(.001)"/>');
  });

  it("paints the background of the root alone", () => {
    expect(drawn("", 'style="background-color:linen" viewBox="5 5 10 10"')).toMatch(
      /^<rect x="-995" y="-995" width="2010" height="2010" fill="linen"/,
    );
  });

  it("is needed for CSS that the renderer does not support, and for nothing else", () => {
    for (const [name, body] of Object.entries(styleSamples)) {
      if (
        /^(?:a type|everything|a child|order|specificity|the next|blending|#rgba|an? gradient|what is used|a desc)/.test(
          name,
        )
      )
        continue;
      const { drawing } = sanitize(svg(body)).facts;
      expect(drawing, name).toMatchObject({ undrawable: null });
    }
    const plain =
      '<style>.a>b,c{fill:rgb(1,2,3)}</style><g class="a" transform="rotate(4 1e-3 2)" style="mix-blend-mode:multiply;opacity:.5"/>';
    expect(sanitize(svg(plain)).facts.drawing).toMatchObject({ undrawable: null, restyledBytes: null });
  });

  it("matches its facts, is safe, and does not change when it is written again", () => {
    const files = [
      ...Object.values(styleSamples).map((body) => svg(body)),
      ...exported.map(([, file]) => file.toString()),
    ];
    let count = 0;
    for (const file of files) {
      const { document, facts } = sanitize(file);
      if (facts.drawing.restyledBytes == null) continue;
      count += 1;
      const text = restyled(document);
      expect(Buffer.byteLength(text)).toBe(facts.drawing.restyledBytes);
      expect(faultsOf(text)).toEqual([]);
      expect(text).not.toContain("<style");
      expect(sanitize(text).facts.drawing.undrawable).toBe(null);
    }
    expect(count).toBeGreaterThan(60);
  });
});

describe("what is beyond it", () => {
  it.each([
    '<rect fill="color-mix(in lch, red, blue)"/>',
    '<rect fill="rgb(from red r g b)"/>',
    '<rect style="width:calc(1px + 2%)"/>',
    '<rect style="transform:translate(10%)"/>',
    '<rect style="transform:rotate3d(1,1,1,45deg)"/>',
    '<rect style="transform:rotate(45deg);transform-box:fill-box"/>',
    '<symbol><rect style="transform:rotate(45deg);transform-origin:center"/></symbol>',
    '<rect clip-path="circle(5px)"/>',
    "<style>rect:lang(en){fill:red}</style><rect/>",
    "<style>@media (min-width:5px){rect{fill:red}}</style><rect/>",
    "<style>:nth-child(2 of .a){fill:red}</style><rect/>",
    '<rect style="filter:drop-shadow(1em 1em red)"/>',
    '<text style="font:caption"/>',
    '<rect fill="ButtonFace"/>',
    '<rect stroke-width="2rem" stroke="red"/>',
    '<rect x="2vw"/>',
    '<g transform="skewX(20)"><rect vector-effect="non-scaling-stroke" stroke="red"/></g>',
    '<symbol><rect vector-effect="non-scaling-stroke" stroke="red"/></symbol>',
    '<path d="M0 0A1 1 0 0 1 9 9" pathLength="2" stroke-dasharray="1"/>',
    '<radialGradient fr=".2" spreadMethod="repeat"/>',
    '<radialGradient fr=".9"/>',
    '<symbol id="s" x="4"/><use href="#s"/>',
    '<filter id="f"><feDiffuseLighting/></filter>',
    '<filter id="f"><feFlood/></filter><g filter="url(#f)" transform="rotate(20)"/>',
    '<filter id="f"><feFlood/></filter><g filter="url(#f) url(#g)"/>',
    '<filter id="f" primitiveUnits="objectBoundingBox"/>',
    '<filter><feColorMatrix type="saturate" values="4"/></filter>',
    '<filter id="f"><feConvolveMatrix kernelMatrix="-1 1"/></filter><g filter="url(#f)"/>',
    '<filter><feTurbulence stitchTiles="stitch"/></filter>',
    '<g color-interpolation="linearRGB"/>',
    '<g style="mix-blend-mode:plus-lighter"/>',
    '<linearGradient id="a" display="none"/><rect fill="url(#a)"/>',
    '<defs style="display:none"><linearGradient id="a"/></defs>',
    '<g systemLanguage="de"/>',
    "<text>中</text>",
    "<text>مرحبا</text>",
    "<text>😀</text>",
    '<text style="direction:rtl">a</text>',
    '<text writing-mode="tb">a</text>',
    '<text font-variant="small-caps">a</text>',
    '<text style="text-decoration:underline wavy">a</text>',
    '<text style="text-transform:full-width">a</text>',
  ])("is said: %s", (body) => {
    expect(undrawable(body)).toEqual(expect.any(String));
  });
});

describe("what changes nothing", () => {
  it.each([
    '<path font-variant="small-caps" writing-mode="tb"/>',
    '<g style="display:none"><rect/></g>',
    '<rect style="font-stretch:condensed;pointer-events:none;text-rendering:optimizeSpeed"/>',
    "<text>a\u{fe0f} हिन्दी ↑→★∑</text>",
  ])("is drawn: %s", (body) => {
    expect(undrawable(body)).toBe(null);
  });

  it("is no size: browsers do not scale such a drawing", () => {
    const { facts } = sanitize('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>');
    expect(facts.drawing.undrawable).toEqual(expect.any(String));
  });
});

describe("hostile styles", () => {
  const many = (count: number, text: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => text(i)).join("");
  const of = (css: string, body = "<g/>"): string => `<style>${css}</style>${body}`;

  it.each(
    Object.entries({
      "a variable that doubles": of(
        `:root{--a0:1px 1px;${many(40, (i) => `--a${i + 1}:var(--a${i}) var(--a${i});`)}}g{stroke-dasharray:var(--a40)}`,
      ),
      "a long value for many": of(
        `*{font-family:${many(9000, () => "abc, ")}d;fill:var(--x)}`,
        many(9000, () => "<g/>"),
      ),
      "many variables on one": of(`g{${many(30_000, (i) => `--a${i}:${i};`)}fill:var(--a1)}`),
      "a selector of thousands of parts": of(
        `${many(19_000, () => "g ")}:is(g){fill:red}`,
        many(15_000, () => "<g/>"),
      ),
      "selectors within selectors": of(`${many(60, () => ":is(")}g${")".repeat(60)}{fill:red}`),
      "markers in every colour": `<marker id="m" orient="auto-start-reverse">${many(500, () => '<path fill="context-stroke"/>')}</marker>${many(
        100,
        (i) => `<path stroke="#${(i + 4096).toString(16)}" marker-start="url(#m)" d="M0 0"/>`,
      )}`,
      "many elements": of(
        "g:not(q){fill:red}",
        many(30_000, () => "<g/>"),
      ),
      "sums in sums": `<g stroke-width="calc(${"(".repeat(3000)}1${")".repeat(3000)})"/>`,
    }),
  )("%s", (_, body) => {
    expect(undrawable(body)).toEqual(expect.any(String));
  });

  it("have no raster if they are too many to be written out", () => {
    const { drawing } = sanitize(svg(many(9000, () => '<g fill="NONE"/>'))).facts;
    expect(drawing).toMatchObject({ undrawable: expect.any(String) as string, restyledBytes: null });
    const plain = sanitize(svg(many(9000, () => '<g fill="none"/>'))).facts;
    expect(plain.drawing).toMatchObject({ undrawable: null, restyledBytes: null });
  });

  it("may be accepted if they have little effect", () => {
    const body = of(
      many(2000, (i) => `.a${i}:not(.b){fill:#${(i + 4096).toString(16)}}`),
      many(2000, (i) => `<g class="a${i}"/>`),
    );
    expect(undrawable(body)).toBe(null);
    const shades = `<style>${many(400, (i) => `g:nth-child(${i + 1}n){fill:red}`)}</style>${many(400, () => "<g/>")}`;
    expect(drawn(shades)).toBe(many(400, () => '<g fill="red"/>'));
  });

  it("are refused with an expected error", () => {
    expect(() => restyled(sanitize(svg('<rect fill="color-mix(in lch, red, blue)"/>')).document)).toThrow(
      Unresolved,
    );
  });
});
