/** What a record of a model with drafts says of its publication (RULES 3.14). */

/** Which content is answered: what an editor works on, or what is published. Without drafts they are the same. */
export const CONTENTS = ["published", "draft"] as const;
export type Content = (typeof CONTENTS)[number];

export const STATUSES = ["draft", "published", "changed"] as const;
export type Status = (typeof STATUSES)[number];

/** Names that the fields of a model with drafts cannot have. */
const RESERVED_FIELDS = ["status", "publishedAt", "publishAt", "unpublishAt"] as const;

export const isReservedWithDrafts = (name: string): boolean =>
  (RESERVED_FIELDS as readonly string[]).includes(name);

/**
 * The system fields that state the publication of a record. A model may have a field named `firstPublishedAt` from before
 * this one existed. The name then means the model's own field.
 */
export const DRAFT_FIELDS = [...RESERVED_FIELDS, "firstPublishedAt"] as const;

export const isDraftField = (name: string): boolean => (DRAFT_FIELDS as readonly string[]).includes(name);

/** Columns of a record. Of a published content they are its own: `publishedVersion` is its version. */
export interface Publication {
  publishedVersion: number | null;
  /** Milliseconds, as the other times. */
  publishedAt: number | null;
  /** Null where `publishedAt` alone tells it. */
  firstPublishedAt: number | null;
  publishAt: number | null;
  unpublishAt: number | null;
}

/** The columns alone, of a row that has more. */
export const publicationOf = (row: Publication): Publication => ({
  publishedVersion: row.publishedVersion,
  publishedAt: row.publishedAt,
  firstPublishedAt: row.firstPublishedAt,
  publishAt: row.publishAt,
  unpublishAt: row.unpublishAt,
});

export const UNPUBLISHED: Publication = {
  publishedVersion: null,
  publishedAt: null,
  firstPublishedAt: null,
  publishAt: null,
  unpublishAt: null,
};

export function statusOf(
  { publishedVersion }: Pick<Publication, "publishedVersion">,
  version: number,
): Status {
  if (publishedVersion === null) return "draft";
  return publishedVersion === version ? "published" : "changed";
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

export const publicationView = (
  record: Publication & { version: number },
): Record<(typeof DRAFT_FIELDS)[number], string | null> => ({
  status: statusOf(record, record.version),
  publishedAt: iso(record.publishedAt),
  firstPublishedAt: iso(record.firstPublishedAt ?? record.publishedAt),
  publishAt: iso(record.publishAt),
  unpublishAt: iso(record.unpublishAt),
});

/**
 * The model number under which the rows of a content stand: published content stands under the negated one, with index
 * rows of its own.
 */
export const rowsOf = ({ id, drafts }: { id: number; drafts: boolean }, content: Content): number =>
  drafts && content === "published" ? -id : id;
