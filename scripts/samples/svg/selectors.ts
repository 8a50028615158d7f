/** Style sheets whose selectors a sanitizer could change. Each paints some of nine squares. */

const squares = (attributes: (at: number) => string): string =>
  `<g class="all" data-set="nine">${Array.from(
    { length: 9 },
    (_, i) =>
      `<rect x="${(i % 3) * 34}" y="${Math.floor(i / 3) * 34}" width="32" height="32" ${attributes(i)}/>`,
  ).join("")}</g>`;

const sheet = (css: string, attributes: (at: number) => string = (i) => `class="s${i}" id="q${i}"`): string =>
  `<style>${css.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</style>${squares(attributes)}`;

export const selectorSamples: Record<string, string> = {
  "a rule in a rule": sheet("g{rect{fill:red}}"),
  "a rule in a rule, with an ampersand": sheet(".all{& .s1{fill:red}& > .s2{fill:lime}.s3 &{fill:blue}}"),
  "an ampersand within a compound": sheet("rect{fill:silver;&.s1{fill:red}&:nth-child(3){fill:lime}}"),
  "a nested combinator": sheet(".s1{fill:red;+ .s2{fill:lime}~ .s5{fill:blue}}"),
  "nested lists": sheet(".s1,.s2,#q3{fill:red;& + rect,& + rect + rect{fill:lime}}"),
  "nested three deep": sheet(
    "g{.s1{fill:red;&:not(.x){stroke:blue;stroke-width:4;&:first-child{fill:lime}}}}",
  ),
  "declarations after a nested rule": sheet(".s4{.all &{fill:red}fill:blue;stroke:lime;stroke-width:6}"),
  "the specificity of a nested rule": sheet("#q1,.s2{&{fill:red}}.s2{fill:lime}rect.s2{fill:blue}"),
  "a nested type that looks like a declaration": sheet("g{rect:nth-child(2){fill:red}fill:lime}"),
  "a nested media rule": sheet(".s1{fill:red;@media screen{fill:lime}@media print{fill:blue}}"),
  "a rule nested in a media rule": sheet("@media screen{g{rect{fill:red;&.s1{fill:lime}}}}"),
  "an ampersand outside of all rules": sheet("&{fill:red}& .s1{fill:lime}"),
  "a digit at the start of a class": sheet(".\\31 a{fill:red}", () => 'class="1a"'),
  "escaped letters": sheet(".\\73 1{fill:red}\\72 ect.s2{fill:lime}#q\\33{fill:blue}"),
  "escaped signs": sheet(
    ".a\\:b{fill:red}.c\\/d{fill:lime}.e\\<f{fill:blue}",
    (i) => `class="${["a:b", "c/d", "e&lt;f"][i % 3]}"`,
  ),
  "an escaped space and a bracket": sheet("#a\\ b{fill:red}#c\\28 d{fill:lime}", (i) =>
    i < 2 ? `id="${["a b", "c(d"][i]}"` : "",
  ),
  "escapes in a nested rule": sheet(".all{.\\31 a{fill:red}&.\\32 b{stroke:lime}}", () => 'class="1a 2b"'),
  "an escaped property": sheet("rect{f\\69ll:red}"),
  "a data attribute": sheet('[data-x="1"]{fill:red}', () => 'data-x="1"'),
  "data attributes, however they are compared": sheet(
    '[data-a]{fill:red}[data-b^="on"]{fill:lime}[data-c~="two"]{fill:blue}[data-d$="end" i]{fill:teal}[data-e|="en"]{fill:navy}[data-f*="id"]{fill:olive}',
    (i) =>
      [
        "data-a=''",
        "data-b='one'",
        "data-c='one two'",
        "data-d='THE END'",
        "data-e='en-GB'",
        "data-f='middle'",
      ][i] ?? "",
  ),
  "an attribute with signs in its value": sheet(
    '[class="a:b;c"]{fill:red}[id="(x)"]{fill:lime}[class="/d"]{fill:blue}',
    (i) => ['class="a:b;c"', 'id="(x)"', 'class="/d"'][i] ?? "",
  ),
  "an attribute without quotes": sheet("[data-n=one]{fill:red}[x=\\33 4]{fill:lime}", () => 'data-n="one"'),
  "a data attribute in a nested rule": sheet('g{[data-x="1"]{fill:red}&[data-set=nine]{stroke:lime}}', (i) =>
    i % 2 ? 'data-x="1"' : "",
  ),
  "negated and grouped": sheet(":is(.s1,.s2):not(#q2){fill:red}:where(.s4,.s5){fill:lime}"),
};
