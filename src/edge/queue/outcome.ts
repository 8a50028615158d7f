/** What one try at a build can come to. */
export type Outcome =
  | { state: "built"; sizeBytes: number; peakBytes: number; evicted: string[] }
  /** The picture cannot be built: remembered for 10 minutes (completion §5). */
  | { state: "failed"; reason: string }
  /** Nobody wants it any more: its master was deleted, replaced or trashed. Not held against the key. */
  | { state: "gone"; reason: string }
  /** No room has place. The try does not count. */
  | { state: "busy"; reason: string }
  /** The builder or the storage was lost on the way. `silent`: the builder did not answer in its time. */
  | { state: "lost"; reason: string; silent?: boolean };
