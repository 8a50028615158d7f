/**
 * Rich texts of the kinds that the public suites of Portable Text hold (@portabletext/to-html, @portabletext/toolkit,
 * Sanity's examples), written anew: those that fit a field's defaults, and hostile ones.
 */

const span = (text: string, ...marks: string[]) => ({
  _type: "span",
  _key: text.slice(0, 8) || "e",
  text,
  marks,
});

let keys = 0;
const block = (children: object[], more: object = {}) => ({
  _type: "block",
  _key: `b${++keys}`,
  style: "normal",
  children,
  markDefs: [],
  ...more,
});

const item = (text: string, listItem: string, level: number, more: object = {}) =>
  block([span(text)], { listItem, level, ...more });

const link = (key: string, href: string) => ({ _type: "link", _key: key, href });

/** Values that fit a field with the default options and pictures, and their HTML. */
export const RICH_TEXTS: Readonly<Record<string, { value: object[]; html: string }>> = {
  "an empty text": { value: [], html: "" },
  "an empty block": { value: [block([span("")])], html: "<p></p>" },
  "several spans": {
    value: [block([span("String one."), span(" String two.", "strong")])],
    html: "<p>String one.<strong> String two.</strong></p>",
  },
  "adjacent spans with one mark": {
    value: [
      block([span("A word of", "strong"), span(" warning;", "strong", "em"), span(" it is addictive.")]),
    ],
    html: "<p><strong>A word of<em> warning;</em></strong> it is addictive.</p>",
  },
  "marks that overlap": {
    value: [block([span("one", "em"), span("two", "em", "strong"), span("three", "strong")])],
    html: "<p><em>one<strong>two</strong></em><strong>three</strong></p>",
  },
  "a link over several spans": {
    value: [
      block([span("Read "), span("the ", "l"), span("fine", "l", "em"), span(" manual", "l"), span("!")], {
        markDefs: [link("l", "https://example.com/?a=1&b=2"), link("unused", "/")],
      }),
    ],
    html: '<p>Read <a href="https://example.com/?a=1&amp;b=2">the <em>fine</em> manual</a>!</p>',
  },
  "every default mark": {
    value: [
      block([
        span("c", "code"),
        span("s", "strong"),
        span("e", "em"),
        span("u", "underline"),
        span("t", "strike-through"),
      ]),
    ],
    html: "<p><code>c</code><strong>s</strong><em>e</em><u>u</u><s>t</s></p>",
  },
  "every default style": {
    value: ["normal", "h1", "h2", "h3", "h4", "blockquote"].map((style) => block([span(style)], { style })),
    html: "<p>normal</p><h1>h1</h1><h2>h2</h2><h3>h3</h3><h4>h4</h4><blockquote>blockquote</blockquote>",
  },
  "hard breaks, spaces and quotes": {
    value: [block([span(`a\nb   "c" & 'd' <e>`)])],
    html: "<p>a<br>b   &quot;c&quot; &amp; &#39;d&#39; &lt;e&gt;</p>",
  },
  "two lists with text between": {
    value: [item("a", "bullet", 1), item("b", "bullet", 1), block([span("c")]), item("d", "number", 1)],
    html: "<ul><li>a</li><li>b</li></ul><p>c</p><ol><li>d</li></ol>",
  },
  "lists of both kinds in each other": {
    value: [
      ...[item("a", "bullet", 1), item("b", "number", 2), item("c", "number", 2), item("d", "bullet", 3)],
      ...[item("e", "bullet", 1), item("f", "number", 1)],
    ],
    html:
      "<ul><li>a<ol><li>b</li><li>c<ul><li>d</li></ul></li></ol></li><li>e</li></ul>" + "<ol><li>f</li></ol>",
  },
  "deep, weird lists": {
    value: [item("a", "bullet", 3), item("b", "bullet", 1), item("c", "bullet", 10)],
    html: "<ul><li>a</li></ul><ul><li>b<ul><li>c</li></ul></li></ul>",
  },
  "a list without levels, with a heading in it": {
    value: [
      block([span("a")], { listItem: "bullet" }),
      block([span("b")], { listItem: "bullet", style: "h2" }),
    ],
    html: "<ul><li>a</li><li><h2>b</h2></li></ul>",
  },
};

const HREFS = [
  ...["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", " javascript:alert(1)"],
  ...["\u0001 javascript:alert(1)", " \u0000 javascript:alert(1)"],
  ...["\u0001javascript:alert(1)", "javascript\t:alert(1)", "data:text/html,<script>alert(1)</script>"],
  ...["vbscript:alert(1)", "javascript&colon;alert(1)", '"onmouseover="alert(1)', "#' onclick='alert(1)"],
];
const SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>";

/** Values that no field takes, or that would run something if they were not escaped. */
export const HOSTILE_TEXTS: readonly unknown[] = [
  HREFS.map((href) => block([span(href, "l")], { markDefs: [link("l", href)] })),
  [
    block([span(SCRIPT, SCRIPT, 'x" onclick="alert(1)')], {
      style: SCRIPT,
      listItem: `x" onclick="alert(1)`,
    }),
  ],
  [{ _type: SCRIPT }, { _type: "image", media: SCRIPT }, { _type: "constructor" }, { _type: "__proto__" }],
  [
    {
      _type: "image",
      alt: SCRIPT,
      caption: SCRIPT,
      media: {
        directUrl: `javascript:alert(1)"${SCRIPT}`,
        width: 10,
        height: 10,
        placeholder: {
          thumbHash: SCRIPT,
          dominantColor: `red;background:url(javascript:alert(1))"${SCRIPT}`,
        },
      },
    },
  ],
  [block([{ _type: "span", text: { toString: "x" } }], { markDefs: "x", level: -1, listItem: 7 })],
  [null, 1, "text", [[]], { children: "x" }],
  ...[null, undefined, 7, "text", {}, SCRIPT],
];
