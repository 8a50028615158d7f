/** Drawings that are made to take long to be checked, at any size: `n` is roughly proportional to their bytes. */
import { svg } from "./svg.ts";

const style = (css: string): string => svg(`<style>${css}</style>`);
const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, i) => make(i)).join("");

/** Each by its name. At `n` of 1, they have from a few kilobytes to the 4 MB that an upload may have. */
export const slowToCheck: Record<string, (n: number) => string> = {
  "one selector of many classes": (n) => style(`${".a".repeat(250_000 * n)}{fill:red}`),
  "rules for a word in long lists of classes": (n) =>
    svg(
      `<style>${many(4500 * n, (i) => `[class~="b${i}" i]{fill:red}`)}</style>` +
        `<g class="${"c ".repeat(16_000)}"/>`.repeat(9),
    ),
  "rules for a part of long attributes": (n) =>
    svg(
      `<style>${many(4500 * n, (i) => `[class*="cccb${i}"]{fill:red}`)}</style>` +
        `<g class="${"c".repeat(32_000)}"/>`.repeat(9),
    ),
  "transforms in one another": (n) => svg(`<g transform="${"a(".repeat(16_000)}"/>`.repeat(128 * n)),
  "transforms in one another in styles": (n) =>
    svg(`<g style="transform:${"scale(".repeat(5000)}1${")".repeat(5000)}"/>`.repeat(14 * n)),
  "a list in :is()": (n) => style(`:is(${"a,".repeat(130_000 * n)}a){fill:red}`),
  "a list in :is() that is resolved": (n) => style(`:is(${"a,".repeat(130_000 * n)}a)+b{fill:red}`),
  "a chain of uses": (n) =>
    svg(
      many(20_000 * n, (i) => `<use id="u${i}" href="#u${i + 1}"/>`) + `<g id="u${Math.floor(20_000 * n)}"/>`,
    ),
  "a chain of gradients": (n) =>
    svg(many(12_000 * n, (i) => `<linearGradient id="g${i}" href="#g${i + 1}"/>`) + '<g fill="url(#g0)"/>'),
  "a chain of gradients by styles": (n) =>
    svg(many(4000 * n, (i) => `<g id="g${i}" style="fill:url(#g${i + 1})"/>`) + '<g fill="url(#g0)"/>'),
  "a list of selectors": (n) => style(`${"a,".repeat(250_000 * n)}a{fill:red}`),
  keyframes: (n) => style(many(10_000 * n, (i) => `@keyframes k${i}{from{fill:red}to{fill:blue}}`)),
  "font faces": (n) => style(many(10_000 * n, (i) => `@font-face{font-family:f${i};src:url(a.woff)}`)),
  "blocks in one another": (n) => style("a{".repeat(250_000 * n)),
  "blocks in one another with declarations": (n) =>
    style("a{fill:red;".repeat(47_000 * n) + "}".repeat(40_000 * n)),
  "brackets in one another": (n) => style(`a{fill:${"(".repeat(500_000 * n)}}`),
  "square brackets in selectors": (n) => style(`${"[".repeat(500_000 * n)}{fill:red}`),
  "functions in selectors": (n) =>
    style(`${":is(".repeat(100_000 * n)}a${")".repeat(100_000 * n)}{fill:red}`),
  "functions in selectors, resolved": (n) =>
    style(`b+${":is(".repeat(100_000 * n)}a${")".repeat(100_000 * n)}{fill:red}`),
  "custom properties that refer to each other": (n) =>
    svg(
      `<g style="${many(2000 * n, (i) => `--v${i}:var(--v${i + 1}) var(--v${i + 2});`)}fill:var(--v0)"/>`.repeat(
        8,
      ),
    ),
  "custom properties in a sheet": (n) => style(`g{${many(20_000 * n, (i) => `--v${i}:var(--v${i + 1});`)}}`),
  "rules for all elements": (n) =>
    svg(`<style>${many(4500 * n, (i) => `*+*{fill:#${i}}`)}</style>${"<g/>".repeat(4000 * n)}`),
  "rules of many compounds": (n) =>
    svg(`<style>${`${"*~".repeat(100 * n)}*{fill:red}`.repeat(500)}</style>${"<g/>".repeat(4000 * n)}`),
  "many negations": (n) =>
    svg(`<style>${`:not(:not(:not(a,b),c),d)~g{fill:red}`.repeat(4000 * n)}</style>${"<g/>".repeat(4000)}`),
  "comments in a sheet": (n) => style("/*a*/".repeat(100_000 * n)),
  "comments in selectors": (n) => style(`${"a/**/".repeat(100_000 * n)}{fill:red}`),
  "escapes in a sheet": (n) => style(`${"\\31 ".repeat(125_000 * n)}{fill:red}`),
  "escaped classes": (n) => style(`${".\\31 a".repeat(80_000 * n)}{fill:red}`),
  "strings that do not end": (n) => style('"\n'.repeat(250_000 * n)),
  urls: (n) => style(`a{fill:${"url(#a) ".repeat(60_000 * n)}}`),
  "references of many selectors": (n) =>
    style(`${many(4999 * n, (i) => `.a${i},`)}a{${many(25_000 * n, (i) => `fill:url(#b${i});`)}}`),
  "paths of many selectors": (n) =>
    style(`${many(4999 * n, (i) => `.a${i},`)}a{d:path("${"1 ".repeat(200_000 * n)}")}`),
  "quoted urls": (n) => style(`a{fill:${"url( '#a' ) ".repeat(40_000 * n)}}`),
  "urls of attributes": (n) => svg(`<g fill="${"url(#a) ".repeat(4000)}"/>`.repeat(125 * n)),
  "percent signs in references": (n) => svg(many(4000 * n, (i) => `<use href="#${"%41".repeat(300)}${i}"/>`)),
  "path data": (n) => svg(`<path d="M0 0${"l1 1".repeat(250_000)}"/>`.repeat(4 * n)),
  "path data of no numbers": (n) => svg(`<path d="${".".repeat(1_000_000)}"/>`.repeat(4 * n)),
  points: (n) => svg(`<polyline points="${"1 1 ".repeat(250_000)}"/>`.repeat(4 * n)),
  "groups in one another": (n) => svg(("<g>".repeat(98) + "</g>".repeat(98)).repeat(500 * n)),
  attributes: (n) => svg(`<g ${many(100, (i) => `a${i}="" `)}/>`.repeat(5500 * n)),
  "attributes that are kept": (n) =>
    svg(
      `<g ${many(97, (i) => `aria-a${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}="" `)}/>`.repeat(
        3500 * n,
      ),
    ),
  "attributes in namespaces at depth": (n) =>
    svg(
      "<g>".repeat(97) +
        `<g xmlns:p="p" ${many(99, (i) => `xlink:a${i}="" `)}/>`.repeat(2900 * n) +
        "</g>".repeat(97),
    ),
  "declarations of namespaces": (n) => svg(`<g ${many(99, (i) => `xmlns:a${i}="a" `)}/>`.repeat(2500 * n)),
  "declarations of namespaces at depth": (n) =>
    svg(
      (
        many(97, (d) => `<g ${many(40, (i) => `xmlns:a${d}b${i}="a" `)}>`) +
        "<x:y xmlns:x='x'/>".repeat(300) +
        "</g>".repeat(97)
      ).repeat(15 * n),
    ),
  "text like entities": (n) => svg(`<text>${"&amp;".repeat(90_000 * n)}</text>`),
  "text like entities, left out": (n) => svg("&#38;".repeat(800_000 * n)),
  "text in a title": (n) => svg(`<title>${"]]&gt;".repeat(90_000 * n)}</title>`),
  "sections of CDATA": (n) => svg(`<text>${"<![CDATA[]]>".repeat(300_000 * n)}</text>`),
  comments: (n) => svg("<!---->".repeat(550_000 * n)),
  instructions: (n) => svg("<?a b?>".repeat(550_000 * n)),
  "elements that are left out": (n) => svg("<x/>".repeat(49_000 * n)),
  elements: (n) => svg('<rect width="1" height="1" fill="red" stroke="blue"/>'.repeat(49_000 * n)),
  "styles of elements": (n) => svg('<g style="fill:red;stroke:#123;opacity:.5"/>'.repeat(16_000 * n)),
  "styles of elements, resolved": (n) =>
    svg('<g style="fill:color-mix(in srgb,red,blue);rotate:10deg"/>'.repeat(8000 * n)),
  "colours in one another": (n) => svg(`<g fill="${"rgb(1 ".repeat(5300)}"/>`.repeat(120 * n)),
  "closed colours in one another": (n) =>
    svg(`<g fill="${"rgb(1 ".repeat(4500)}${")".repeat(4500)}"/>`.repeat(120 * n)),
  "sums in one another": (n) =>
    svg(`<g stroke-width="${"calc(1 + ".repeat(3000)}1${")".repeat(3000)}"/>`.repeat(120 * n)),
  shadows: (n) => svg(`<g filter="${"drop-shadow(1px 1px) ".repeat(40)}"/>`.repeat(4000 * n)),
  "words in a filter": (n) => svg(`<g filter="${"a-".repeat(16_000)}(1)"/>`.repeat(120 * n)),
  "letters of a transform": (n) => svg(`<g transform="${"a".repeat(32_000)}"/>`.repeat(120 * n)),
  "many classes": (n) =>
    svg(`<style>.a{opacity:.5}</style>` + `<g class="${many(6000, (i) => `c${i} `)}"/>`.repeat(100 * n)),
  "many ids": (n) => svg(many(49_000 * n, (i) => `<g id="i${i}"/>`)),
  "one id for all": (n) => svg('<g id="x"/>'.repeat(24_000 * n) + '<use href="#x"/>'.repeat(24_000 * n)),
  "rules for one id": (n) =>
    svg(
      `<style>${many(4900 * n, (i) => `.a{fill:url(#g${i % 10})}`)}</style>${'<g class="a"/>'.repeat(4000 * n)}`,
    ),
  "markers in colours": (n) =>
    svg(
      `<marker id="m" orient="auto-start-reverse">${"<path/>".repeat(100)}</marker>` +
        many(7000 * n, (i) => `<path d="M0 0L1 1" fill="#${i}" marker-start="url(#m)"/>`),
    ),
  "media queries": (n) => style(many(5000 * n, (i) => `@media (color) and (min-width:${i}px){a{fill:red}}`)),
  "long media queries": (n) => style(`@media ${"(color) and ".repeat(40_000 * n)}(color){a{fill:red}}`),
  "nested rules": (n) => style(`${"a,".repeat(4000 * n)}a{${"b{fill:red}".repeat(4000 * n)}}`),
  "many references to the enclosing rule": (n) =>
    style(`.${"a".repeat(200_000 * n)}{${"&amp;".repeat(4000 * n)}{fill:red}}`),
  "spaces in attributes": (n) => svg(`<use href="x${" ".repeat(30_000)}x"/>`.repeat(130 * n)),
  "spaces in styles": (n) => svg(`<g style="fill:a${" ".repeat(30_000)}b"/>`.repeat(17 * n)),
  "spaces before important": (n) => svg(`<g style="fill:a${" ! ".repeat(10_000)}b"/>`.repeat(17 * n)),
  "base64 that is none": (n) =>
    svg(`<image href="data:image/png;base64,${"A ".repeat(200_000)}"/>`.repeat(10 * n)),
};
