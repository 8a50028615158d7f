/** What the sanitizer makes of a drawing. */
import type { SvgFacts } from "../../model/facts.ts";

export interface SafeSvg {
  /** The document to store, as UTF-8. */
  document: string;
  facts: SvgFacts;
}
