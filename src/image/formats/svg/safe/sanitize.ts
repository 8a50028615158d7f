/**
 * Makes an SVG drawing safe to store and to serve (RULES 6.4). It reads the drawing with a parser that accepts only
 * well-formed XML, and writes a new document of what is listed in vocabulary.ts.
 *
 * Nothing is copied that was not understood, so it does not matter how another parser would read the original.
 */
import { SVG } from "../../../../limits.ts";
import { SvgRejectedError } from "../errors.ts";
import type { SafeSvg } from "./safe-svg.ts";
import { SafeWriter } from "./safe-writer.ts";
import { inOnePiece, pauseIfDue, type InPieces } from "../work/pieces.ts";
import { PRICES, Work } from "../work/work.ts";
import { assertEncoding, readText } from "./text.ts";
import { XmlError, XmlReader } from "../xml/reader.ts";

export { SvgRejectedError } from "../errors.ts";

/**
 * @param work the budget of this upload
 * @throws SvgRejectedError with the reason, which names the limit that was exceeded if there was one
 */
export const sanitizeSvg = (bytes: Uint8Array, work = new Work(bytes.length)): SafeSvg =>
  inOnePiece(sanitizedInPieces(bytes, work));

/** Does the same in pieces, between which the caller may serve others. */
export function* sanitizedInPieces(bytes: Uint8Array, work: Work): InPieces<SafeSvg> {
  const text = readText(bytes);
  work.spend(bytes.length * PRICES.decoded);
  const writer = new SafeWriter(work);
  let elements = 0;
  let position = 0;
  try {
    const reader = new XmlReader(text, {
      onElement: (depth) => {
        elements += 1;
        work.spend(PRICES.element);
        if (depth > SVG.depthMax) throw over(SVG.depthMax, "levels of elements");
        if (elements > SVG.elementsMax) throw over(SVG.elementsMax, "elements");
      },
      onAttribute: (count) => {
        work.spend(PRICES.attribute);
        if (count > SVG.attributesPerElementMax)
          throw over(SVG.attributesPerElementMax, "attributes on an element");
      },
      onValue: assertLength,
    });
    for (let part = reader.next(); part !== null; part = reader.next()) {
      work.spend((reader.position - position) * PRICES.character);
      ({ position } = reader);
      switch (part.kind) {
        case "declaration":
          assertEncoding(part.encoding);
          break;
        case "doctype":
          throw new SvgRejectedError(
            "the drawing has a DOCTYPE; remove it, and the entities that it declares",
          );
        case "open":
          writer.open(part.element);
          break;
        case "close":
          yield* writer.close();
          break;
        case "text":
          writer.text(part.text);
          break;
        case "nothing":
          break;
        default:
          part satisfies never;
      }
      if (work.isPauseDue) yield* pauseIfDue(work);
    }
  } catch (error) {
    if (error instanceof XmlError)
      throw new SvgRejectedError(`the drawing is not valid XML: ${error.message}`);
    throw error;
  }
  return yield* writer.finish(elements);
}

/** Attributes that may be longer than others. Base64 takes four characters per three bytes, and some line breaks. */
const LONG_ATTRIBUTES: ReadonlyMap<string, number> = new Map([
  ["d", SVG.pathMaxCharacters],
  ["points", SVG.pathMaxCharacters],
  ["href", SVG.embeddedImageMaxBytes * 2],
  ["content", SVG.sourceMaxCharacters],
]);

function assertLength(local: string, characters: number): void {
  if (characters <= SVG.attributeMaxCharacters) return;
  const limit = LONG_ATTRIBUTES.get(local) ?? SVG.attributeMaxCharacters;
  if (characters > limit) throw over(limit, `characters in an attribute ${local}`);
}

const over = (limit: number, what: string): SvgRejectedError =>
  new SvgRejectedError(`the drawing has more than ${limit} ${what}`);
