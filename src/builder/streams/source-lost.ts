/** The master did not arrive whole: nothing is known of the picture, and another try may succeed. */
export class SourceLost extends Error {
  override readonly name = "SourceLost";
}

/** A stream that keeps a read waiting for so long is taken for dead. */
export const STALL_MS = 20_000;
