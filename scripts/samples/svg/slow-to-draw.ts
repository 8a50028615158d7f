/** Drawings that are made to take long to be drawn: each kind at random, by a seed. */
/** Between two numbers; between 0 and 1 without any. */
export type Random = (from?: number, to?: number) => number;

const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: Math.max(1, Math.round(count)) }, (_, i) => make(i)).join("");

/** The bodies of drawings with a viewBox of 0 0 1000 1000. `n` is between 0 and 1: how much there is of it. */
export const slowToDraw: Record<string, (n: number, random: Random) => string> = {
  "straight dashes": (n, r) =>
    `<g stroke="red" stroke-width="${r(1, 9)}" stroke-dasharray="${0.01 + r() / 10}">` +
    many(20 * n, () => `<path d="M0 ${r(0, 1000)}L1000 ${r(0, 1000)}"/>`) +
    "</g>",
  "dashes under a transform": (n, r) =>
    `<g stroke="red" transform="scale(1000)" stroke-width=".01" stroke-dasharray=".0001">` +
    many(20 * n, () => `<path d="M0 ${r()}H1"/>`) +
    "</g>",
  "dashes of curves, with round ends": (n, r) =>
    many(
      20 * n,
      () =>
        `<circle cx="500" cy="500" r="${r(100, 500)}" fill="none" stroke="red" stroke-width="${r(1, 20)}" stroke-linecap="round" stroke-dasharray="${0.1 + r()} .1"/>`,
    ),
  "a zigzag, filled": (n) =>
    `<path d="M0 0${many(2000 * n, (i) => `L${i / (2 * n)} 1000L${i / (2 * n)} 0`)}"/>`,
  "a zigzag at random": (n, r) => `<path d="M0 0${many(4000 * n, () => `L${r(0, 1000)} ${r(0, 1000)}`)}"/>`,
  "a zigzag, stroked with miters": (n, r) =>
    `<path fill="none" stroke="red" stroke-miterlimit="100" stroke-width="${r(1, 30)}" d="M0 0${many(1500 * n, (i) => `L${i} 1000L${i + 1} 0`)}"/>`,
  "a zigzag of round joins": (n, r) =>
    `<path fill="none" stroke="red" stroke-linejoin="round" stroke-width="${r(1, 30)}" d="M0 0${many(4000 * n, () => `L${r(0, 1000)} ${r(0, 1000)}`)}"/>`,
  curves: (n, r) =>
    many(
      1500 * n,
      () => `<path fill="none" stroke="red" d="M0 ${r(0, 1000)}C1000 0 0 1000 1000 ${r(0, 1000)}"/>`,
    ),
  "filled curves": (n, r) =>
    many(150 * n, () => `<path fill-opacity=".5" d="M0 ${r(0, 1000)}C1000 0 0 1000 1000 ${r(0, 1000)}"/>`),
  hairlines: (n, r) =>
    many(1500 * n, () => `<path stroke="red" stroke-width=".1" d="M0 ${r(0, 1000)}L1000 ${r(0, 1000)}"/>`),
  "small shapes": (n, r) =>
    many(20_000 * n, () => `<rect x="${r(0, 990)}" y="${r(0, 990)}" width="9" height="9" fill="red"/>`),
  "small circles with strokes": (n, r) =>
    many(10_000 * n, () => `<circle cx="${r(0, 990)}" cy="${r(0, 990)}" r="5" fill="red" stroke="blue"/>`),
  "large translucent shapes": (n) =>
    many(100 * n, () => '<rect width="1000" height="1000" fill="red" fill-opacity=".5"/>'),
  "large gradients": (n) =>
    '<radialGradient id="g"><stop stop-color="red"/><stop offset=".5" stop-color="#0f0"/><stop offset="1"/></radialGradient>' +
    many(60 * n, () => '<circle cx="500" cy="500" r="500" fill="url(#g)"/>'),
  "groups with opacity": (n) =>
    many(
      40 * n,
      () => '<g opacity=".9"><rect width="1000" height="1000" fill="red"/><rect width="9" height="9"/></g>',
    ),
  "groups with opacity in one another": (n) =>
    `${'<g opacity=".9"><rect width="9" height="9"/>'.repeat(Math.ceil(40 * n))}<rect width="1000" height="1000" fill="red"/>${"</g>".repeat(Math.ceil(40 * n))}`,
  "groups that are larger than the canvas": (n) =>
    many(
      12 * n,
      () =>
        '<g opacity=".9"><path d="M-2000-2000H3000V3000H-2000z" fill="red"/><rect width="9" height="9"/></g>',
    ),
  "small groups with opacity": (n, r) =>
    many(
      3000 * n,
      () =>
        `<g opacity=".9"><rect x="${r(0, 900)}" y="${r(0, 900)}" width="30" height="30"/><rect width="9" height="9" x="${r(0, 99)}"/></g>`,
    ),
  masks: (n) =>
    `<mask id="m">${'<rect width="1000" height="1000" fill="white"/>'.repeat(2)}</mask>` +
    many(20 * n, () => '<g mask="url(#m)"><rect width="1000" height="1000" fill="red"/></g>'),
  "masks in masks": (n) =>
    many(
      8 * n,
      (i) =>
        `<mask id="m${i}"${i ? ` mask="url(#m${i - 1})"` : ""}><rect width="1000" height="1000" fill="white"/></mask>`,
    ) +
    many(
      4,
      () =>
        `<rect width="1000" height="1000" fill="red" mask="url(#m${Math.max(1, Math.round(8 * n)) - 1})"/>`,
    ),
  clips: (n) =>
    '<clipPath id="c"><circle cx="500" cy="500" r="500"/></clipPath>' +
    many(20 * n, () => '<g clip-path="url(#c)"><rect width="1000" height="1000" fill="red"/></g>'),
  "a chain of clips": (n) =>
    many(
      9 * n,
      (i) =>
        `<clipPath id="c${i}"${i ? ` clip-path="url(#c${i - 1})"` : ""}><circle cx="500" cy="500" r="500"/></clipPath>`,
    ) +
    many(
      3,
      () =>
        `<rect width="1000" height="1000" fill="red" clip-path="url(#c${Math.max(1, Math.round(9 * n)) - 1})"/>`,
    ),
  patterns: (n) =>
    '<pattern id="p" width="50" height="50" patternUnits="userSpaceOnUse"><circle cx="25" cy="25" r="25"/></pattern>' +
    many(30 * n, () => '<rect width="1000" height="1000" fill="url(#p)"/>'),
  "patterns in patterns": (n) =>
    many(
      6 * n,
      (i) =>
        `<pattern id="p${i}" width="1000" height="1000" patternUnits="userSpaceOnUse"><rect width="1000" height="1000" fill="${i ? `url(#p${i - 1})` : "red"}"/></pattern>`,
    ) +
    many(4, () => `<rect width="1000" height="1000" fill="url(#p${Math.max(1, Math.round(6 * n)) - 1})"/>`),
  "small patterns": (n) =>
    '<pattern id="p" width="12" height="12" patternUnits="userSpaceOnUse"><circle cx="6" cy="6" r="5"/></pattern>' +
    many(30 * n, () => '<rect width="1000" height="1000" fill="url(#p)"/>'),
  "small patterns in small patterns": (n) =>
    many(
      4,
      (i) =>
        `<pattern id="p${i}" width="40" height="40" patternUnits="userSpaceOnUse"><rect width="30" height="30" fill="${i ? `url(#p${i - 1})` : "red"}"/></pattern>`,
    ) + many(12 * n, () => '<rect width="1000" height="1000" fill="url(#p3)"/>'),
  "strokes that do not scale": (n, r) =>
    `<g stroke="red" stroke-width="${r(1, 60)}">` +
    many(
      300 * n,
      () => `<path vector-effect="non-scaling-stroke" d="M0 ${r(0, 1000)}L1000 ${r(0, 1000)}"/>`,
    ) +
    "</g>",
  markers: (n, r) =>
    '<marker id="k" markerWidth="9" markerHeight="9" viewBox="0 0 10 10"><path d="M0 0L10 5L0 10z"/></marker>' +
    many(
      20 * n,
      () =>
        `<polyline fill="none" stroke="red" marker-mid="url(#k)" points="${many(100, () => `${r(0, 1000)},${r(0, 1000)} `)}"/>`,
    ),
  "uses of uses": (n) =>
    `<g id="a"><circle cx="500" cy="500" r="40" fill="red"/></g>` +
    many(3, (i) => `<g id="${"bcd"[i]}">${`<use href="#${"abc"[i]}" x="1"/>`.repeat(Math.ceil(20 * n))}</g>`),
  blur: (n, r) =>
    `<filter id="f"><feGaussianBlur stdDeviation="${r(1, 300)}"/></filter>` +
    many(5 * n, () => '<rect width="1000" height="1000" fill="red" filter="url(#f)"/>'),
  "blur of a region beyond the canvas": (n) =>
    '<filter id="f" filterUnits="userSpaceOnUse" x="-2000" y="-2000" width="5000" height="5000"><feGaussianBlur stdDeviation="20"/></filter>' +
    many(1 + n, () => '<rect width="1000" height="1000" fill="red" filter="url(#f)"/>'),
  ...Object.fromEntries(
    [
      '<feTurbulence baseFrequency=".05" numOctaves="4"/>',
      '<feTurbulence type="fractalNoise" baseFrequency=".05" numOctaves="1"/>',
      '<feColorMatrix type="hueRotate" values="40"/>',
      '<feConvolveMatrix order="9" kernelMatrix="1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"/>',
      '<feConvolveMatrix order="3" kernelMatrix="1 1 1 1 1 1 1 1 1"/>',
      '<feDiffuseLighting><fePointLight x="500" y="500" z="99"/></feDiffuseLighting>',
      '<feSpecularLighting specularExponent="20"><feDistantLight azimuth="45" elevation="40"/></feSpecularLighting>',
      '<feComponentTransfer><feFuncR type="gamma" exponent="2"/></feComponentTransfer>',
      '<feBlend in2="SourceGraphic" mode="hue"/>',
      '<feComposite in2="SourceGraphic" operator="arithmetic" k1="1" k2="1" k3="1" k4=".1"/>',
      '<feDisplacementMap in2="SourceGraphic" scale="30" xChannelSelector="R"/>',
      '<feOffset dx="9" dy="9"/>',
      '<feFlood flood-color="red" flood-opacity=".4"/>',
      "<feTile/>",
      '<feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="SourceGraphic"/></feMerge>',
      '<feMorphology operator="dilate" radius="4"/>',
    ].map((primitive) => [
      `a filter of ${primitive.slice(0, 60)}`,
      (n: number) =>
        `<filter id="f">${primitive.repeat(Math.max(1, Math.round(6 * n)))}</filter><rect width="1000" height="1000" fill="red" filter="url(#f)"/>`,
    ]),
  ),
  text: (n, r) =>
    many(
      60 * n,
      () => `<text x="0" y="${r(0, 1000)}" font-size="${r(8, 40)}">${"Hamburgefonstiv ".repeat(9)}</text>`,
    ),
  "text on a path": (n) =>
    '<path id="t" d="M0 500C300 0 700 1000 1000 500" fill="none"/>' +
    many(
      40 * n,
      () => `<text font-size="12"><textPath href="#t">${"Hamburgefonstiv ".repeat(9)}</textPath></text>`,
    ),
};
