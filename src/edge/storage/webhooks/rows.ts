/** Events, deliveries and attempts as the tables hold them. */

/** An event as the table has it, as far as a receiver is told. */
export interface EventRow {
  no: number;
  at: number;
  action: string;
  targetKind: string;
  targetId: string;
  /** `collections/articles`, of records and models. */
  targetModel: string | null;
  /** JSON. */
  facts: string;
}

/** A delivery that is to be made of an event. */
export interface NewDelivery {
  eventNo: number;
  type: string;
  lane: string;
  at: number;
  data: Readonly<Record<string, unknown>>;
}

/** One attempt, in the form in which the API lists it. */
export interface Attempt {
  /** Milliseconds since 1970. */
  at: number;
  /** The status of the answer; null if none came. */
  status: number | null;
  ms: number;
  /** Why it failed; null if it did not. */
  error: string | null;
}
