/** The tables of what a raster shows, against the indexes of the standards and the page that documents them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PAGE, supportPage } from "../../../../../scripts/readme/svg-support.ts";
import {
  ATTRIBUTES,
  ELEMENTS as ELEMENT_ROWS,
  isDrawnAsIs,
  PROPERTIES,
  rowOf,
} from "../../../../../src/image/formats/svg/support/support.ts";
import {
  ELEMENTS,
  PLAIN,
  PRESENTATION,
  STYLE_ONLY,
} from "../../../../../src/image/formats/svg/safe/vocabulary.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** SVG 2, property index, and the properties that its chapters, Filter Effects, Masking and Compositing define or require. */
const STANDARD_PROPERTIES =
  words(`alignment-baseline background baseline-shift block-size border-style border-top-style
  clip clip-path clip-rule color color-interpolation color-interpolation-filters content cursor cx cy d direction display
  dominant-baseline fill fill-opacity fill-rule filter float flood-color flood-opacity font font-family
  font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style font-variant
  font-variant-ligatures font-weight glyph-orientation-horizontal glyph-orientation-vertical hanging-punctuation height
  hyphens image-rendering inline-size isolation letter-spacing lighting-color line-break line-height margin-top marker
  marker-end marker-mid marker-start mask mask-type max-width min-width mix-blend-mode object-fit object-position opacity
  outline overflow overflow-wrap paint-order path-length pointer-events position r rx ry shape-outside shape-rendering
  stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width tab-size text-align text-align-last text-anchor text-combine-upright text-decoration
  text-decoration-color text-decoration-line text-decoration-style text-indent text-justify text-orientation
  text-overflow text-rendering text-transform transform transform-box transform-origin unicode-bidi vector-effect
  vertical-align visibility white-space width will-change word-break word-spacing word-wrap writing-mode x y`);

/** SVG 2, attribute index: regular attributes without `aria-*` and event handlers, and presentation attributes. */
const STANDARD_ATTRIBUTES =
  words(`amplitude autofocus azimuth baseFrequency bias class clipPathUnits crossorigin cx cy
  diffuseConstant divisor download dx dy edgeMode elevation exponent filterUnits fr fx fy gradientTransform gradientUnits
  height href hreflang id in in2 intercept k1 k2 k3 k4 kernelMatrix kernelUnitLength lang lengthAdjust limitingConeAngle
  markerHeight markerUnits markerWidth maskContentUnits maskUnits media method mode numOctaves offset operator order
  orient path pathLength patternContentUnits patternTransform patternUnits ping points pointsAtX pointsAtY pointsAtZ
  preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY referrerpolicy rel requiredExtensions result role
  rotate scale seed side slope spacing specularConstant specularExponent spreadMethod startOffset stdDeviation
  stitchTiles style surfaceScale systemLanguage tabindex tableValues target targetX targetY textLength title transform
  type values viewBox width x x1 x2 xChannelSelector xlink:href xlink:title xml:space y y1 y2 yChannelSelector z
  color-profile cursor kerning text-rendering paint-order path-length vector-effect`);

/** SVG 2, element index, and the elements of Filter Effects and Masking. */
const STANDARD_ELEMENTS =
  words(`a circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite
  feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG
  feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight
  feTile feTurbulence filter foreignObject g image line linearGradient marker mask metadata path pattern polygon polyline
  radialGradient rect script stop style svg switch symbol text textPath title tspan use view`);

describe("the tables of what a raster shows", () => {
  it("have every property of the standards, and every one that is stored", () => {
    const names = PROPERTIES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(STANDARD_PROPERTIES.filter((name) => !names.includes(name))).toEqual([]);
    expect([...PRESENTATION, ...STYLE_ONLY].filter((name) => !names.includes(name))).toEqual([]);
  });

  it("have every attribute of the standards, and every one that is stored", () => {
    const names = ATTRIBUTES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...STANDARD_ATTRIBUTES, ...PLAIN].filter((name) => !rowOf(name))).toEqual([]);
  });

  it("have every element of the standards, and say that one is removed if it is not stored", () => {
    const byName = new Map(ELEMENT_ROWS.map((row) => [row.name, row.handling]));
    expect(byName.size).toBe(ELEMENT_ROWS.length);
    expect(STANDARD_ELEMENTS.filter((name) => !byName.has(name))).toEqual([]);
    for (const [name, handling] of byName) expect(handling === "removed", name).toBe(!ELEMENTS.has(name));
  });

  it("say that a property is removed if it is not stored", () => {
    for (const { name, handling } of PROPERTIES) {
      expect(handling === "removed", name).toBe(!PRESENTATION.has(name) && !STYLE_ONLY.has(name));
    }
  });

  it("give a reason for everything that is not drawn in full", () => {
    for (const { name, handling, note } of [...PROPERTIES, ...ATTRIBUTES, ...ELEMENT_ROWS]) {
      if (["rewritten", "vector", "removed"].includes(handling)) expect(note, name).not.toBe("");
    }
  });

  it("are the page in the documentation (written by scripts/readme/svg-support.ts)", async () => {
    expect(readFileSync(PAGE, "utf8")).toBe(await supportPage());
  });
});

describe("a value", () => {
  it.each([
    ["fill", "none", false],
    ["fill", "red", true],
    ["fill", "#12345678", true],
    ["fill", "currentColor", false],
    ["fill", "rgb(1, 2, 3)", true],
    ["fill", "url(#a)", false],
    ["stroke-width", "2", true],
    ["stroke-width", "2.5px", true],
    ["stroke-dasharray", "1, 2 3", false],
    ["font-size", "12px", true],
    ["opacity", "50%", true],
    ["mix-blend-mode", "multiply", true],
    ["paint-order", "stroke fill", true],
    ["x", "1 2 3", false],
    ["text-decoration", "underline", true],
    ["pointer-events", "all", true],
  ])("is drawn as it stands: %s: %s", (name, value, isStyle) => {
    expect(isDrawnAsIs(name, value, isStyle)).toBe(true);
  });

  it.each([
    ["fill", "None", false],
    ["fill", "Red", true],
    ["fill", "nocolour", true],
    ["fill", "currentcolor", false],
    ["fill", "rebeccapurple", false],
    ["fill", "rgb(10% 20% 30%)", true],
    ["fill", "url(#a) Red", false],
    ["fill", 'url("#a b")', false],
    ["stroke-width", "-1", true],
    ["stroke-width", "2rem", true],
    ["font-size", "12", true],
    ["x", "1px", true],
    ["vector-effect", "non-scaling-stroke", false],
    ["text-transform", "uppercase", true],
    ["color-interpolation", "linearRGB", false],
    ["direction", "rtl", false],
    ["pathLength", "1", false],
    ["fr", ".2", false],
  ])("is not: %s: %s", (name, value, isStyle) => {
    expect(isDrawnAsIs(name, value, isStyle)).toBe(false);
  });
});
