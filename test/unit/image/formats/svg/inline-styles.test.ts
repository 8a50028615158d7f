/** Styles written out for the renderer: what comes out, what is beyond it, and that nothing makes it run wild. */
import { describe, expect, it } from "vitest";
import { restyled, Unresolved } from "../../../../../src/image/formats/svg/inline-styles/inline-styles.ts";
import { faultsOf } from "../../../../../scripts/harness/svg-check.ts";
import { styleSamples } from "../../../../../scripts/samples/svg-styles.ts";
import { exported, sanitize, svg } from "../../../../../scripts/samples/svg.ts";

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
    ['<g fill="url(#a) light-dark(red, blue)"/>', '<g fill="url(#a) red"/>'],
    ['<g style="color-scheme:only dark"><g fill="light-dark(red,blue)"/></g>', '<g><g fill="blue"/></g>'],
    [
      '<g style="font:italic bold 12px/1.5 A, &quot;B C&quot;"/>',
      '<g font-style="italic" font-weight="bold" font-size="12px" font-family="A, &quot;B C&quot;"/>',
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
      '<style>.a>b,c{fill:rgb(1,2,3)}</style><g class="a" transform="rotate(4 1e-3 2)" style="filter:blur(2px);opacity:.5"/>';
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
    '<rect style="font:caption"/>',
  ])("is said: %s", (body) => {
    expect(undrawable(body)).toEqual(expect.any(String));
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

  it("are kept if only details are unsupported", () => {
    const { drawing } = sanitize(svg(many(9000, () => '<g style="white-space:pre"/>'))).facts;
    expect(drawing).toMatchObject({ undrawable: null, restyledBytes: null });
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
