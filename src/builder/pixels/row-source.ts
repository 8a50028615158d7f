import type { RowLayout } from "../../image/memory/rows.ts";

/** A picture handed out in rows, top to bottom, eight bits per sample. */
export interface RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout: RowLayout;
  /** Next rows, top to bottom: whole rows, tightly packed, a view valid until the next call; null after the last. */
  next(): Promise<Uint8Array | null>;
}
