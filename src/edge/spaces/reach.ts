/** The parts of a space that routes name, so that `gate.ts` can hold a caller's scopes against them. */

/**
 * The part of a space that a route reaches.
 * - `nothing`: no content of a space, or content that everybody may read.
 * - `caller`: the caller itself.
 * - `space`: facts of the space that are no content, such as its settings. Scopes do not limit them.
 * - `models`: definitions of models. A list shows those inside the scopes (`definitionsInside`).
 * - `records`, `history`: records of the model in the path, or their earlier versions. `authorize-record.ts` finds them.
 * - `media`: media items, their files and variants.
 * - `media work`: uploads, builds and addresses of other servers, for the same callers but for preview tokens.
 * - `trash`: records and media in the trash. The handler shows those inside the scopes.
 * - `usage`: counts of content. The handler counts what is inside the scopes.
 * - `everything`: the whole space, for callers without scopes. So do all routes that only the role `admin` may use.
 */
export type Reach =
  | "nothing"
  | "caller"
  | "space"
  | "models"
  | "records"
  | "history"
  | "media"
  | "media work"
  | "trash"
  | "usage"
  | "everything";
