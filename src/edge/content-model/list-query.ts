/** What is asked of a list: filters and sorts, looked up in the model. */
import type { Operator } from "./operators.ts";
import type { Target } from "./targets.ts";

export type Scalar = string | number;

export interface Filter {
  target: Target;
  operator: Operator;
  /** One value, the list of `in`, or 1 and 0 for `null`. Times are milliseconds where the column holds those. */
  values: Scalar[];
}

export interface Sort {
  target: Target;
  descending: boolean;
}
