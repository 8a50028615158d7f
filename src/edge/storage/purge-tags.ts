/** The tags by which answers are purged at the edge. Printable ASCII; letters count alike in either case. */
import { sql, type SQL } from "drizzle-orm";

/** Everything that shows a media item: redirects, direct delivery and files of all its versions. */
export const mediaTag = (mediaId: string): string => `media:${mediaId}`;

/** As SQL, of a column that has the id. */
export const mediaTagOf = (column: string): SQL => sql.raw(`'media:' || ${column}`);

/** Everything of image delivery in a space. */
export const spaceTag = (spaceId: string): string => `space:${spaceId}`;
