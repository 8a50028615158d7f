import type { Effort } from "../../model/variant.ts";

/**
 * The effort of the PNG encoder. "quick" chooses symbols in one pass: drawings and screenshots take about a tenth of the
 * time of "thorough" and 3 to 7 % more bytes, photographs half and 2 % more. Gradients take a third more bytes.
 */
export type PngEffort = Effort;
