/** An answer of image delivery, before the headers of its request are set. */
import type { TransformState } from "../delivery/build-cold.ts";
import type { EdgeCopy } from "./edge-copy.ts";

export interface Answered {
  /** The response, whose headers can still be set. */
  response: Response;
  /** X-Service-Transform; null for files, and for the master by rule. */
  state: TransformState | null;
  /** Whether later requests for the same picture will get the same file. */
  isFinal: boolean;
  copy: EdgeCopy;
}
