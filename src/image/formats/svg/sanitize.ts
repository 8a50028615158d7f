/**
 * Makes an SVG drawing safe to store and to serve (RULES 6.4). It reads the drawing with a parser that accepts only
 * well-formed XML, and writes a new document of what is listed in vocabulary.ts.
 *
 * Nothing is copied that was not understood, so it does not matter how another parser would read the original.
 */
import { SaxesParser } from "saxes";
import { SVG } from "../../../limits.ts";
import { SvgRejectedError } from "./errors.ts";
import type { SafeSvg } from "./safe-svg.ts";
import { SafeWriter } from "./safe-writer.ts";
import { PRICES, Work } from "./work/work.ts";
import { assertEncoding, readText } from "./text.ts";

export { SvgRejectedError } from "./errors.ts";

/**
 * @param work the budget of this upload
 * @throws SvgRejectedError with the reason, which names the limit that was exceeded if there was one
 */
export function sanitizeSvg(bytes: Uint8Array, work = new Work(bytes.length)): SafeSvg {
  const text = readText(bytes);
  work.spend(bytes.length * PRICES.byte);
  const writer = new SafeWriter(work);
  // XML 1.1 would allow control characters, but the written document is XML 1.0, which forbids them.
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: "1.0", forceXMLVersion: true });
  let depth = 0;
  let elements = 0;
  let attributes = 0;

  parser.on("error", (error) => {
    throw new SvgRejectedError(`the drawing is not valid XML: ${error.message}`);
  });
  parser.on("xmldecl", ({ encoding }) => assertEncoding(encoding));
  parser.on("doctype", () => {
    throw new SvgRejectedError("the drawing has a DOCTYPE; remove it, and the entities that it declares");
  });
  parser.on("opentagstart", () => {
    depth += 1;
    elements += 1;
    attributes = 0;
    work.spend(PRICES.element);
    if (depth > SVG.depthMax) throw over(SVG.depthMax, "levels of elements");
    if (elements > SVG.elementsMax) throw over(SVG.elementsMax, "elements");
  });
  parser.on("attribute", ({ value, local, prefix }) => {
    attributes += 1;
    work.spend(PRICES.attribute + (prefix === "" ? 0 : depth * PRICES.namespaceLevel));
    if (attributes > SVG.attributesPerElementMax)
      throw over(SVG.attributesPerElementMax, "attributes on an element");
    const limit = LONG_ATTRIBUTES[local] ?? SVG.attributeMaxCharacters;
    if (value.length > limit) throw over(limit, `characters in an attribute ${local}`);
  });
  parser.on("opentag", (tag) => writer.open(tag));
  parser.on("closetag", () => {
    depth -= 1;
    writer.close();
  });
  parser.on("text", (part) => writer.text(part));
  parser.on("cdata", (part) => writer.text(part));
  parser.write(text).close();
  return writer.finish(elements);
}

/** Attributes that may be longer than others. Base64 takes four characters per three bytes, and some line breaks. */
const LONG_ATTRIBUTES: Record<string, number> = {
  d: SVG.pathMaxCharacters,
  points: SVG.pathMaxCharacters,
  href: SVG.embeddedImageMaxBytes * 2,
};

const over = (limit: number, what: string): SvgRejectedError =>
  new SvgRejectedError(`the drawing has more than ${limit} ${what}`);
