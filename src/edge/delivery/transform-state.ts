/** Values of X-Service-Transform (RULES 7.2). */
export type TransformState =
  "hit" | "built" | "queued" | "coalesced" | "limited" | "overloaded" | "unavailable";
