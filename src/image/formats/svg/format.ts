import type { FormatDescriptor } from "../descriptor.ts";

export const svg = {
  title: "SVG",
  extension: "svg",
  mime: "image/svg+xml",
  isVector: true,
  // Nothing in a drawing runs or loads anything, wherever it is opened.
  policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  master: { readsFrames: false },
  variant: null,
} as const satisfies FormatDescriptor;
