/** The writes that the service has acknowledged, apart from the service: records, their history, media and their bytes. */
import { createHash } from "node:crypto";

export interface Entry {
  id: string;
  /** A value that no other record has. */
  mark: string;
  /** Every text that the record has had, the present one last. A read may show one that was written while it ran. */
  texts: string[];
  /** The text of a write that is not answered yet. */
  pending: string | null;
  /** The number of the last version: one for each acknowledged write of another text. */
  version: number;
  state: "there" | "trashed";
  /** Grows when a write begins that moves the record to the trash. */
  trashings: number;
  publishedText: string | null;
}

export interface File {
  id: string;
  filename: string;
  sha256: string;
  alt: string;
}

export interface Contents {
  records: Entry[];
  files: File[];
}

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Returns a text of five words with one that no other text has, so that a search for it finds one record. */
export const textOf = (mark: string, no: number): string => `${wordOf(mark, no)} of the letters about moving`;
export const wordOf = (mark: string, no: number): string => `${mark}v${no}z`;

/** Returns the present text of a record. */
export const presentOf = ({ texts }: Pick<Entry, "texts">): string => texts[texts.length - 1] ?? "";

/** Returns whether no write of the record is under way. */
export const isQuiet = ({ pending }: Entry): boolean => pending === null;

/** Returns the first word of a text. */
export const firstWord = (text: string): string => text.split(" ")[0] ?? "";
