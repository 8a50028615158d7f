/** Nothing in a drawing runs or loads anything, wherever it is opened. */
export const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
