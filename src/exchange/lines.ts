/**
 * The lines of an export (RULES 18): NDJSON, one object a line. An import takes the same lines. The edge writes and reads
 * them, the command stores them in `export.ndjson`, and importers make them of the exports of other systems.
 *
 * Times are ISO 8601 in UTC with milliseconds. Fields, locales and models are named, never numbered, so that a line means
 * the same in every space. No line has the name or the id of its space, so that a second space can hold the same export.
 * Lines stand in this order: the space, models (components before those that hold them), media, then each record with its
 * published content and its history, then the trash in the same way, then webhooks.
 */

/** The form of the lines. A later form has a higher number. */
export const EXCHANGE_FORMAT = 1;

/** The type of an export and of the body of an import. */
export const EXCHANGE_TYPE = "application/x-ndjson";

export type RecordTypeModelName = "collections" | "pages";
export type TypeModelName = RecordTypeModelName | "components";

/** A value of JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/**
 * The values of a record by the name of their field. A localized field of a space with locales is an object by the code
 * of the locale. A field that is left out gets its default.
 */
export type LineData = Record<string, JsonValue>;

/** The first line. */
export interface SpaceLine {
  kind: "space";
  format: number;
  exportedAt: string;
  /** The settings as `GET /settings` has them, locales included. An import keeps the settings that are left out. */
  settings: Record<string, JsonValue>;
  /** Locales that were removed and whose values are kept, with the time at which these are removed. */
  droppedLocales?: Record<string, string>;
}

/** A model, as `GET /models/{typeModel}/{name}` has it. */
export interface ModelLine {
  kind: "model";
  typeModel: TypeModelName;
  name: string;
  /** The definitions of its fields, in the form of a request. */
  fields: Record<string, JsonValue>[];
  label?: string | null;
  description?: string | null;
  titleField?: string | null;
  previewUrl?: string | null;
  drafts?: boolean;
  public?: boolean;
  version: number;
  createdAt: string;
  updatedAt: string;
  /** Further options. */
  [option: string]: JsonValue | undefined;
}

/** The author of a change: a key, a member, the root token or the service. A space that imports need not have it. */
export interface LineActor {
  kind: "key" | "member" | "root" | "system";
  id: string;
  name: string;
}

/** The facts of a media item that an export has, in the trash or not. */
export interface MediaFacts {
  /** A ULID. */
  id: string;
  filename: string;
  /** The alt text in the default locale. */
  alt: string;
  /** The alt texts of the other locales, by their codes. */
  alts?: Record<string, string>;
  /** Shares of width and height, from 0 to 1 in hundredths; null for the centre. */
  focalPoint: { x: number; y: number } | null;
  /** The version of the file that is offered. */
  masterVersion: number;
  /** The last version number that was given to a file. None is given twice. */
  lastVersion: number;
  /** The type of the file. An import finds it by the content, whatever stands here. */
  mime: string;
  sizeBytes: number;
  /** SHA-256 of the file, 64 hexadecimal digits in lower case. */
  sha256: string;
  createdAt: string;
  updatedAt: string;
  createdBy?: LineActor;
  updatedBy?: LineActor;
}

export interface MediaLine extends MediaFacts {
  kind: "media";
}

/** The content and publication of a record in one locale. */
export interface LineEdition {
  /** The version that made the content. */
  version: number;
  publishedVersion?: number;
  publishedAt?: string;
  firstPublishedAt?: string;
  publishAt?: string;
  unpublishAt?: string;
}

/** The record that a line belongs to. */
export interface RecordAddress {
  typeModel: RecordTypeModelName;
  model: string;
  /** A ULID; the id of a page is the name of its model. */
  id: string;
}

/** The publication of a record of a model with drafts. All are left out where it was never published nor planned. */
export interface LinePublication {
  publishedVersion?: number;
  publishedAt?: string;
  /** Left out where only `publishedAt` tells. */
  firstPublishedAt?: string;
  publishAt?: string;
  unpublishAt?: string;
}

/** The facts of a record that an export has, in the trash or not. */
export interface RecordFacts extends RecordAddress, LinePublication {
  version: number;
  createdAt: string;
  updatedAt: string;
  createdBy?: LineActor;
  updatedBy?: LineActor;
  /** The content and publication of each locale by its code, of a record that was written in a space with locales. */
  editions?: Record<string, LineEdition>;
  /**
   * The codes of the locales whose contents stand on further lines. In the others, the content is all here. Earlier versions
   * did not write it: if it is missing, and no value is in another locale than the default, all other locales of `editions`
   * stand on further lines. It is empty where that is not so.
   */
  apart?: string[];
  /** The content; of a model with drafts, the draft. */
  data: LineData;
}

/**
 * A record: its content, and its publication if its model has drafts.
 *
 * A record whose locales do not fit on one line names them in `apart`, and has further lines right behind it, of the same
 * kind, each with `locale` and the localized fields in that locale alone. This is so for published contents and the trash,
 * and, without `apart`, for versions.
 */
export interface RecordLine extends RecordFacts {
  kind: "record";
}

/** The published content of a record, behind the record. */
export interface PublishedFacts {
  createdBy?: LineActor;
  updatedBy?: LineActor;
  /** The version that is published; of a record with locales, of its shared fields and default locale. */
  version: number;
  updatedAt: string;
  publishedVersion?: number;
  publishedAt?: string;
  firstPublishedAt?: string;
  editions?: Record<string, LineEdition>;
  apart?: string[];
  data: LineData;
}

export interface PublishedLine extends RecordAddress, PublishedFacts {
  kind: "published";
}

export type VersionEventName = "created" | "updated" | "published" | "unpublished" | "trashed" | "restored";

/** An event in the history of a record, behind the record, in the order of `no`. */
export interface VersionLine extends RecordAddress {
  kind: "version";
  /** Counts the events of the record. */
  no: number;
  /** The version that the event made or concerned. */
  version: number;
  event: VersionEventName;
  /** Whether the event made the version. */
  isContent: boolean;
  createdAt: string;
  actor: LineActor | null;
  /** The fields that it changed. */
  changed: string[];
  /** The codes of the locales that it changed, in a space with locales. */
  locales?: string[];
  /** When it is removed; left out while its version is the present or published one. */
  expiresAt?: string;
  /** The content of the version, if the record itself does not hold it any more. */
  data?: LineData;
}

/** An entry of the trash. */
interface Trashed {
  kind: "trash";
  deletedAt: string;
  /** When it is removed for good. */
  expiresAt: string;
}

export interface TrashedMediaLine extends MediaFacts, Trashed {
  of: "media";
}

export interface TrashedRecordLine extends RecordFacts, Trashed {
  of: "record";
}

export type TrashLine = TrashedMediaLine | TrashedRecordLine;

/** The further content of a line before it that was too long: one locale. */
export interface LocaleLine extends RecordAddress {
  kind: "record" | "published" | "version" | "trash";
  locale: string;
  /** The event of a version. */
  no?: number;
  /** The localized fields, each with its value in the locale. */
  data: LineData;
}

/** A webhook, without its secret. */
export interface WebhookLine {
  kind: "webhook";
  id: string;
  url: string;
  events: string[];
  models?: string[];
  name?: string;
  createdAt: string;
}

/** The last line of each page. */
export interface EndLine {
  kind: "end";
  /** Null at the end of the export. */
  nextCursor: string | null;
  /** On the last page: ids of what was written since the first page, so that their lines may be of different times. */
  changed?: string[];
}

/** A line that an import takes. */
export type ImportLine =
  | SpaceLine
  | ModelLine
  | MediaLine
  | RecordLine
  | PublishedLine
  | VersionLine
  | TrashLine
  | LocaleLine
  | WebhookLine;

export type ExportLine = ImportLine | EndLine;

export type LineKind = ExportLine["kind"];

/** A line that an import did not take. */
export interface RefusedLine {
  /** Counted from 1 in the body. */
  line: number;
  /** The place in the line, such as `data.title`; empty for all of it. */
  path: string;
  /** Begins with `DIFFERS` if the space holds something else under the same name or id. */
  message: string;
}

/** The answer to an import. */
export interface ImportResult {
  imported: number;
  unchanged: number;
  refused: RefusedLine[];
  /** The media items of these lines whose files are still to be sent to `PUT /media/{id}/file`. */
  waiting: { id: string; sha256: string }[];
}

/** Lines and files that go into a space, in the order of an export. An importer is such a source. */
export interface ImportSource {
  lines(): AsyncIterable<ImportLine>;
  /** Returns the file of a media item; null if it cannot be read. The item is then left out, and listed. */
  file(media: MediaFacts): Promise<Blob | null>;
  /** Is called when a file that it gave is not read any more, whether it was sent or not. */
  release?(media: MediaFacts): Promise<void>;
}
