/** Makes damaged and mixed drawings from a seed, and checks that the sanitizer refuses them or makes them safe. */
import { sanitizeSvg, SvgRejectedError } from "../../src/image/formats/svg/safe/sanitize.ts";
import { restyled } from "../../src/image/formats/svg/inline-styles/inline-styles.ts";
import { faultsOf } from "../harness/svg-check.ts";
import { payloads } from "../samples/svg/payloads.ts";
import { styleSamples } from "../samples/svg/styles.ts";
import { drawings, exported, svg } from "../samples/svg/svg.ts";
import { integersOf } from "../samples/random.ts";

const seeds = [
  ...[...drawings, ...exported].map(([, file]) => file.toString()),
  ...Object.values(styleSamples).map((body) => svg(body)),
  ...Object.values(payloads).map((body) => svg(body)),
  svg(Object.values(payloads).join("\n")),
];
/** Pieces of text that have a meaning for some parser. */
const TOKENS = [
  ...Array.from("<>&\"'/=:;(){}[]\\#@!-_ \n\t\0"),
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<?",
  "?>",
  "&#x",
  "&#0;",
  "&amp;",
  "\\75",
  "\\0",
  "/*",
  "*/",
  "url(",
  "url(#a)",
  "xlink:",
  "xml:",
  "xmlns:",
  "on",
  "href",
  "javascript:",
  "data:",
  "<script>",
  "</script>",
  "<style>",
  "</style>",
  "<svg>",
  "</svg>",
  "style='",
  "@import ",
  "\ufeff",
  "\u2028",
  "ſ",
  "K",
];

function mutated(random: (limit: number) => number): string {
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  let text = pick(seeds);
  for (let left = 1 + random(5); left > 0; left -= 1) {
    const at = random(text.length + 1);
    const end = Math.min(text.length, at + random(24));
    const other = pick(seeds);
    const from = random(other.length);
    const piece = [pick(TOKENS), other.slice(from, from + random(60)), "", text.slice(at, end).repeat(2)][
      random(4)
    ]!;
    text = text.slice(0, at) + piece + text.slice(random(3) === 0 ? at : end);
  }
  return text;
}

/**
 * Sanitizes `count` mutated drawings from `seed` on. Each must be refused with a reason, or give a document without
 * faults, which does not change when it is sanitized again, and has no faults after its styles were written out.
 * @returns how many were accepted and refused
 * @throws Error with the seed of the first drawing for which that does not hold
 */
export function runSvgMutations(seed: number, count: number): { taken: number; refused: number } {
  const tally = { taken: 0, refused: 0 };
  for (let at = seed; at < seed + count; at += 1) {
    const text = mutated(integersOf(at));
    try {
      const { document, facts } = sanitizeSvg(new TextEncoder().encode(text));
      const isRestyled = facts.drawing.restyledBytes != null;
      const faults = [...faultsOf(document), ...(isRestyled ? faultsOf(restyled(document)) : [])];
      if (faults.length > 0) throw new Error(`it holds ${faults.join(", ")}`);
      const again = sanitizeSvg(new TextEncoder().encode(document)).document;
      if (again !== document) throw new Error(`it becomes another: ${document}\n${again}`);
      tally.taken += 1;
    } catch (error) {
      if (!(error instanceof SvgRejectedError))
        throw new Error(`seed ${at}: ${String(error)}`, { cause: error });
      tally.refused += 1;
    }
  }
  return tally;
}
