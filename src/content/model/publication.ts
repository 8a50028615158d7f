/** The publication of records of models with drafts (RULES 3.14). */

/**
 * The contents of a record: the draft that an editor works on, and the published one. Without drafts they are the same.
 */
export const CONTENTS = ["published", "draft"] as const;
export type Content = (typeof CONTENTS)[number];

export const STATUSES = ["draft", "published", "changed"] as const;
export type Status = (typeof STATUSES)[number];

/** Names that the fields of a model with drafts cannot have. */
const RESERVED_FIELDS = ["status", "publishedAt", "publishAt", "unpublishAt"] as const;

export const isReservedWithDrafts = (name: string): boolean =>
  (RESERVED_FIELDS as readonly string[]).includes(name);

/**
 * The system fields that state the publication of a record. A model may have a field named `firstPublishedAt` from
 * before this one existed. The name then means the model's own field.
 */
export const DRAFT_FIELDS = [...RESERVED_FIELDS, "firstPublishedAt"] as const;

export const isDraftField = (name: string): boolean => (DRAFT_FIELDS as readonly string[]).includes(name);

/**
 * The columns of a record about its publication. In the row of a published content, `publishedVersion` is its version.
 */
export interface Publication {
  publishedVersion: number | null;
  /** In milliseconds, as the other times. */
  publishedAt: number | null;
  /** Null in older rows, where `publishedAt` stands for it. */
  firstPublishedAt: number | null;
  publishAt: number | null;
  unpublishAt: number | null;
}

/** Returns these columns of a row that has more. */
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
  return publishedVersion >= version ? "published" : "changed";
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
 * Returns the model number in the rows of a content. Published content has the negated number, and index rows of its
 * own.
 */
export const rowsOf = ({ id, drafts }: { id: number; drafts: boolean }, content: Content): number =>
  drafts && content === "published" ? -id : id;
