/** The result of the sanitizer. */
import type { SvgFacts } from "../../../model/facts.ts";

export interface SafeSvg {
  /** The document to store, which is encoded as UTF-8. */
  document: string;
  facts: SvgFacts;
}
