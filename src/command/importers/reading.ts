/** The input of every importer: the file, a folder beside it for what was read, and the list of losses. */
import type { Losses } from "./losses.ts";

export interface Reading {
  /** The export of the other system. */
  path: string;
  /** A folder for the spool and for files of the archive. It is there. */
  folder: string;
  losses: Losses;
  /** Is told how many further bytes of the file were read, and at times what they hold. */
  progress?: (bytes: number, words?: string) => void;
  /** The present time in milliseconds, which says whether a schedule has passed. */
  now: number;
}
