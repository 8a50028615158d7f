/** One operation of a bulk, and what it did. */
export type Operation =
  | { op: "create"; data: unknown }
  | { op: "update"; id: string; ifMatch?: string | undefined; data: unknown }
  | { op: "delete" | "publish" | "unpublish"; id: string; ifMatch?: string | undefined };

export interface Done {
  op: Operation["op"];
  id: string;
  /** Of a deleted record, the one that it had. */
  version: number;
}
