/** The tags by which answers are invalidated at the edge. They are printable ASCII, and their case is ignored. */
import { sql, type SQL } from "drizzle-orm";

/**
 * Returns the tag of all answers that show a media item: redirects, direct delivery, files of all its versions, the 404
 * in the trash.
 */
export const mediaTag = (mediaId: string): string => `media:${mediaId}`;

/** Returns the tag of a media item as SQL, from a column with its id. */
export const mediaTagOf = (column: string): SQL => sql.raw(`'media:' || ${column}`);

/** Returns the tag of all answers of image delivery in a space. */
export const spaceTag = (spaceId: string): string => `space:${spaceId}`;

/**
 * Returns the tag of all answers with a space's public content. Triggers write it into the outbox of invalidations (see
 * the migration).
 */
export const contentTag = (spaceId: string): string => `content:${spaceId}`;
