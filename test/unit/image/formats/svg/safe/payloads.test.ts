/** Every known way around a sanitizer of SVG, and its harmless rest (RULES 6.4). */
import { describe, expect, it } from "vitest";
import { sanitizeSvg, SvgRejectedError } from "../../../../../../src/image/formats/svg/safe/sanitize.ts";
import { payloads } from "../../../../../../scripts/samples/svg/payloads.ts";
import { faultsOf } from "../../../../../../scripts/harness/svg-check.ts";
import { sanitize, svg } from "../../../../../../scripts/samples/svg/svg.ts";

describe("nothing is left of a payload", () => {
  it.each(Object.entries(payloads))("%s", (_, body) => {
    for (const text of [
      svg(body),
      svg(`<defs>${body}</defs>`),
      svg(`<g><g>${body}</g></g><use href="#a"/>`, 'onload="alert(1)"'),
    ]) {
      const { document } = sanitize(text);
      expect(faultsOf(document)).toEqual([]);
      expect(document).not.toMatch(/evil\.example|javascript|image\/svg|expression/i);
      // Text may say anything.
      expect(document.replace(/>[^<]*/g, "")).not.toContain("alert");
    }
  });
});

const rejected: Record<string, [file: string | Uint8Array, reason: RegExp]> = {
  "a DTD": [
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg("")}`,
    /DOCTYPE/,
  ],
  "a bare doctype": [`<!DOCTYPE svg>${svg("")}`, /DOCTYPE/],
  "an internal entity": [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg("<text>&a;</text>")}`, /DOCTYPE/],
  "an external entity": [
    `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg("<text>&a;</text>")}`,
    /DOCTYPE/,
  ],
  "a billion laughs": [
    `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${svg("<text>&b;</text>")}`,
    /DOCTYPE/,
  ],
  "attributes by default": [`<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${svg("")}`, /DOCTYPE/],
  "an entity of HTML": [svg("<text>&nbsp;&eacute;</text>"), /not valid XML/],
  "an unclosed element": [svg("<g>"), /not valid XML/],
  "crossed elements": [svg("<g><a></g></a>"), /not valid XML/],
  "an attribute twice": [svg("<g id='a' id='b'/>"), /not valid XML/],
  "an attribute without quotes": [svg("<g id=a/>"), /not valid XML/],
  "a bare ampersand": [svg("<text>a & b</text>"), /not valid XML/],
  "an undeclared prefix": [svg("<x:g/>"), /not valid XML/],
  "two roots": [`${svg("")}${svg("")}`, /not valid XML/],
  "text after the root": [`${svg("")}x`, /not valid XML/],
  "a control character": [svg("<text>&#1;</text>"), /not valid XML/],
  "a control character of XML 1.1": [`<?xml version="1.1"?>${svg("<text>&#1;</text>")}`, /not valid XML/],
  "a malformed comment": [svg("<!-- a -- b -->"), /not valid XML/],
  "no namespace": ["<svg><rect/></svg>", /root element is not svg/],
  "another namespace": ["<svg xmlns='http://www.w3.org/1999/xhtml'/>", /root element is not svg/],
  "another root": ["<g xmlns='http://www.w3.org/2000/svg'/>", /root element is not svg/],
  nothing: ["", /not valid XML|empty/],
  "UTF-16": [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(svg(""), "utf16le")]), /UTF-16/],
  "UTF-16, big end first": [
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(svg(""), "utf16le").swap16()]),
    /UTF-16/,
  ],
  "UTF-16 without a mark": [Buffer.from(svg(""), "utf16le"), /zero bytes/],
  "UTF-32": [Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x3c]), /UTF-32/],
  "UTF-7": [Buffer.from("+/v8-" + svg("")), /UTF-7/],
  "UTF-8 that is broken": [
    Buffer.concat([Buffer.from(svg("<text>")), Buffer.from([0xc3, 0x28])]),
    /not valid UTF-8/,
  ],
  "an overlong form": [
    Buffer.concat([Buffer.from(svg("<text>")), Buffer.from([0xc0, 0xbc])]),
    /not valid UTF-8/,
  ],
  "a declared encoding": [`<?xml version="1.0" encoding="UTF-16"?>${svg("")}`, /encoding/],
  "Latin 1": [`<?xml version="1.0" encoding="ISO-8859-1"?>${svg("")}`, /encoding/],
  "UTF-7 declared": [`<?xml version="1.0" encoding="UTF-7"?>${svg("+ADw-script+AD4-")}`, /encoding/],
  "a size of zero": [svg("", 'viewBox="0 0 0 10"'), /no area/],
  "a use of itself": [svg('<g id="a"><use href="#a"/></g>'), /refers to itself/],
  "a circle of uses": [
    svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    /refers to itself/,
  ],
  "a circle through a percent sign": [svg('<g id="ä"><use href="#%C3%A4"/></g>'), /refers to itself/],
  "a pattern of itself": [
    svg('<pattern id="p"><rect fill="url(#p)"/></pattern><rect fill="url(#p)"/>'),
    /refers to itself/,
  ],
  "a circle by a style sheet": [
    svg('<style>.c{fill:url(#p)}</style><pattern id="p"><rect class="c"/></pattern>'),
    /refers to itself/,
  ],
};

describe("a drawing is refused, with its reason", () => {
  it.each(Object.entries(rejected))("%s", (_, [file, reason]) => {
    const attempt = (): unknown =>
      sanitizeSvg(typeof file === "string" ? new TextEncoder().encode(file) : file);
    expect(attempt).toThrow(SvgRejectedError);
    expect(attempt).toThrow(reason);
  });
});
