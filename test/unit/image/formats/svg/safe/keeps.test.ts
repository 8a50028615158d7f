/** The parts that a drawing keeps (RULES 6.4): harmless ones look the same to the pixel. */
import { describe, expect, it } from "vitest";
import { faultsOf } from "../../../../../../scripts/harness/svg-check.ts";
import {
  drawings,
  drawnBySharp,
  exported,
  sanitize,
  svg,
} from "../../../../../../scripts/samples/svg/svg.ts";

describe("a harmless drawing", () => {
  it.each([...drawings, ...exported])(
    "%s is unchanged to the pixel, safe, and stays what it is when sanitized again",
    async (_, file) => {
      const { document, facts } = sanitize(file.toString());
      const before = await drawnBySharp(file, facts);
      const after = await drawnBySharp(Buffer.from(document), facts);
      expect(Buffer.compare(Buffer.from(after.data), Buffer.from(before.data))).toBe(0);
      expect(faultsOf(document)).toEqual([]);
      expect(sanitize(document)).toEqual({ document, facts });
    },
  );
});

describe("written anew", () => {
  const body = (text: string): string =>
    /<svg[^>]*>([\s\S]*)<\/svg>/.exec(sanitize(svg(text)).document)?.[1] ?? "";

  it.each([
    ['<rect fill="url(#a)"/>', '<rect fill="url(#a)"/>'],
    [`<rect fill="url('#a') red"/>`, '<rect fill="url(#a) red"/>'],
    [`<rect fill="url( &quot;#a b&quot; )"/>`, '<rect fill="url(&quot;#a b&quot;)"/>'],
    ['<use xlink:href=" #a "/>', '<use xlink:href="#a"/>'],
    ['<use href="#a" xlink:href="#b"/>', '<use href="#a"/>'],
    ["<g><!-- c --><?p i?>text<rect/> </g>", "<g><rect/></g>"],
    [
      "<text>a &amp; b &lt; c ]]&gt; <tspan> d</tspan></text>",
      "<text>a &amp; b &lt; c ]]&gt; <tspan> d</tspan></text>",
    ],
    ["<text><![CDATA[<b>&amp;]]></text>", "<text>&lt;b&gt;&amp;amp;</text>"],
    ['<text font-family="A, &#39;B C&#39;"/>', '<text font-family="A, &quot;B C&quot;"/>'],
    ['<g transform="translate(1. 2.)rotate(45)"/>', '<g transform="translate(1. 2.)rotate(45)"/>'],
    [
      '<rect style="fill : red ;; stroke:blue!important;x:\\75rl(a)"/>',
      '<rect style="fill:red;stroke:blue!important;"/>',
    ],
    [
      "<style>a{fill:red}b:hover,c d>e{stroke:blue}</style>",
      "<style>a{fill:red;}c d&gt;e{stroke:blue;}</style>",
    ],
    [
      "<style>@media print{a{fill:red}}@page{x:y}@charset 'x';b{fill:blue}</style>",
      "<style>@media print{a{fill:red;}}b{fill:blue;}</style>",
    ],
    [
      "<style>:root{--a:#f00}b{fill:var(--a,blue)}</style>",
      "<style>:root{--a:#f00;}b{fill:var(--a,blue);}</style>",
    ],
    [
      '<filter filterUnits="userSpaceOnUse"><feGaussianBlur stdDeviation="2" in="SourceAlpha"/></filter>',
      '<filter filterUnits="userSpaceOnUse"><feGaussianBlur stdDeviation="2" in="SourceAlpha"/></filter>',
    ],
    ['<a href="https://example.com"><path d="M0 0"/></a>', '<a><path d="M0 0"/></a>'],
    ['<title lang="en">T</title><desc>D</desc>', '<title lang="en">T</title><desc>D</desc>'],
  ])("%s", (text, written) => {
    expect(body(text)).toBe(written);
  });

  it("leaves out a rule without a selector", () => {
    expect(body("<style>{fill:red}a{fill:blue}</style>")).toBe("<style>a{fill:blue;}</style>");
  });
});
