/**
 * Drawings that are made to take long to be written out for the renderer, at any size: `n` is roughly proportional to
 * their bytes. At `n` of 1, they are about as large as those may be that are written out.
 */
import { svg } from "./svg.ts";

const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, i) => make(i)).join("");
const nonScaling = 'vector-effect="non-scaling-stroke"';

export const slowToWriteOut: Record<string, (n: number) => string> = {
  "ids that the renderer does not find": (n) =>
    svg(many(3900 * n, (i) => `<g id="ü${i}"/><use href="#ü${i}"/>`)),
  "ids like those that are given": (n) =>
    svg(many(3900 * n, (i) => `<g id="id-${i}"/><use id="ü${i}" href="#id-${i}"/>`)),
  "references to nothing": (n) =>
    svg(many(5000 * n, (i) => `<g fill="url(#a${i}) red" mask="url(#b${i})" clip-path="url(#ü)"/>`)),
  "many references in one value": (n) => svg(`<g filter="${"url(#a) ".repeat(3900)}"/>`.repeat(16 * n)),
  "gradients from gradients": (n) =>
    svg(
      many(
        6000 * n,
        (i) =>
          `<radialGradient id="g${i}" fr=".1" href="#g${i % 12 === 11 ? "" : i + 1}"><stop/></radialGradient>`,
      ),
    ),
  "gradients with the stops of one": (n) =>
    svg(
      `<linearGradient id="g">${"<stop/>".repeat(4000 * n)}</linearGradient>` +
        '<radialGradient fr=".1" href="#g"/>'.repeat(3900 * n),
    ),
  "paths with a length": (n) =>
    svg(`<path stroke-dasharray="1" pathLength="9" d="M0 0${"q1 1 1 1".repeat(3900)}"/>`.repeat(16 * n)),
  "paths of cubic curves with a length": (n) =>
    svg(`<path stroke-dasharray="1" pathLength="9" d="M0 0c${"1 1 1 1 1 1 ".repeat(2600)}"/>`.repeat(16 * n)),
  "polygons with a length": (n) =>
    svg(`<polygon stroke-dasharray="1" pathLength="9" points="${"1 1 ".repeat(1900)}"/>`.repeat(64 * n)),
  "path data of no numbers with a length": (n) =>
    svg(`<path stroke-dasharray="1" pathLength="9" d="M0 0${".".repeat(500_000 * n)}"/>`),
  "dashes that many inherit": (n) =>
    svg(
      `<g stroke="red" stroke-dasharray="${"1 ".repeat(16_000)}">${`<path ${nonScaling} d="M0 0h1"/>`.repeat(7900 * n)}</g>`,
    ),
  "strokes that do not scale, at depth": (n) =>
    svg(
      `<g stroke="red">${"<g>".repeat(95)}${`<path ${nonScaling} d="M0 0h1"/>`.repeat(7800 * n)}${"</g>".repeat(95)}</g>`,
    ),
  "strokes that do not scale, under long transforms": (n) =>
    svg(
      `<g stroke="red">${`<g transform="${"scale(1) ".repeat(3600)}">`.repeat(6)}` +
        `<path ${nonScaling} d="M0 0h1"/>`.repeat(3900 * n) +
        `${"</g>".repeat(6)}</g>`,
    ),
  "filters under long transforms": (n) =>
    svg(
      `<filter id="f"><feOffset/></filter>${`<g transform="${"scale(1) ".repeat(3600)}">`.repeat(6)}` +
        '<path filter="url(#f)" d="M0 0h1"/>'.repeat(490 * n) +
        "</g>".repeat(6),
    ),
  "symbols in one another": (n) =>
    svg(
      many(300 * n, (at) => {
        const ids = Array.from({ length: 11 }, (_, i) => `s${at}-${i}`);
        const nested = ids
          .slice(1)
          .map((id, i) => `<symbol id="${ids[i]}" width="9"><use href="#${id}"/></symbol>`);
        return `${nested.join("")}<g id="${ids.at(-1)}"/><use href="#${ids[0]}"/>`;
      }),
    ),
  "symbols that many use": (n) =>
    svg(
      '<symbol id="s" width="9" height="9"/>' +
        many(7900 * n, (i) => `<use href="#s" x="${i}" width="auto"/>`),
    ),
  "small patterns": (n) =>
    svg(
      many(
        3900 * n,
        (i) => `<pattern id="p${i}" width="9" height="9" patternUnits="userSpaceOnUse"><g/></pattern>`,
      ),
      'viewBox="0 0 900 900"',
    ),
  "ids like those of tiles": (n) =>
    svg(
      many(
        2600 * n,
        (i) =>
          `<pattern id="tile-${i}" width="40" height="40" patternUnits="userSpaceOnUse"><g id="tile-${i + 5000}"/></pattern>`,
      ),
      'viewBox="0 0 900 900"',
    ),
  "patterns in one another": (n) =>
    svg(
      many(
        65 * n,
        () =>
          '<pattern width="40" height="40" patternUnits="userSpaceOnUse">'.repeat(96) +
          "</pattern>".repeat(96),
      ),
      'viewBox="0 0 900 900"',
    ),
  "languages and extensions": (n) =>
    svg(`<switch>${'<g requiredExtensions="" systemLanguage=""/>'.repeat(7900 * n)}</switch>`),
  "switches in one another": (n) =>
    svg(("<switch>".repeat(96) + "</switch>".repeat(96)).repeat(80 * n) + '<g requiredExtensions="a"/>'),
  "text in capitals": (n) =>
    svg(`<g style="text-transform:uppercase">${`<text>${"ß".repeat(20)}</text>`.repeat(4000 * n)}</g>`),
  "text of many characters": (n) =>
    svg(
      many(
        4000 * n,
        (i) =>
          `<text>${String.fromCodePoint(...[1, 2, 3, 4].map((k) => 0x1d400 + ((i * 4 + k) % 80)))}</text>`,
      ),
    ),
  "filters that are no lengths": (n) => svg(`<g filter="blur(${"1".repeat(32_000)}x)"/>`.repeat(16 * n)),
  "numbers that go on": (n) =>
    svg(`<g stroke-width="${"1".repeat(32_000)}!" x="${"1".repeat(32_000)}?"/>`.repeat(7 * n)),
  "lists of dashes": (n) => svg(`<g stroke-dasharray="${"1Q ".repeat(10_000)}"/>`.repeat(16 * n)),
  "lists of spaces": (n) => svg(`<g stroke-dasharray="1${" ".repeat(32_000)}1Q"/>`.repeat(16 * n)),
  "markers with long paths": (n) =>
    svg(
      `<marker id="m"><path fill="context-fill" d="M0 0${"l1 1".repeat(200)}"/></marker>` +
        many(3900 * n, (i) => `<path d="M0 0h1" fill="#${(i + 4096).toString(16)}" marker-end="url(#m)"/>`),
    ),
  "transforms that are very small": (n) =>
    svg(`<g transform="matrix(.0001 0 0 .0001 0 0)${" scale(1)".repeat(9)}"/>`.repeat(3900 * n)),
  "hidden elements in one another": (n) =>
    svg((`<g display="none">` + '<mask id="m"/>'.repeat(8) + "</g>").repeat(800 * n)),
  "colours and keywords in capitals": (n) =>
    svg(
      '<g FILL="RED" fill="RED" stroke="ReBeccaPurple" stroke-linecap="ROUND" display="INLINE"/>'.repeat(
        5000 * n,
      ),
    ),
};
