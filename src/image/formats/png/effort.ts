/**
 * How hard the encoder looks for the smallest PNG. "quick" chooses symbols in one pass: drawings take about a tenth of
 * the time of "thorough" and 3 % more bytes, photographs three quarters and 2 % more. Gradients take twice the bytes.
 */
export type PngEffort = "quick" | "thorough";
