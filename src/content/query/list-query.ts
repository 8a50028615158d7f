/** What is asked of a list: conditions and sorts, looked up in the model. */
import type { StoredField } from "../field-types/fields.ts";
import type { Operator } from "./operators.ts";
import type { Target } from "./list-targets.ts";

export type Scalar = string | number;

/** A condition on one field, or on what the service sets on every record. */
export interface Filter {
  kind: "filter";
  /** The parameter that asks for it: how it is called in errors. */
  parameter: string;
  target: Target;
  operator: Operator;
  /** One value, the list of `in`, or 1 and 0 for `null`. Times are milliseconds where the column holds those. */
  values: Scalar[];
}

/** A condition on a record that a relation leads to: one that meets it is enough. */
export interface RelationFilter {
  kind: "relation";
  relation: StoredField;
  /** The collection that the relation leads to. */
  modelId: number;
  filter: Filter;
}

/** Groups of conditions: one group is enough, all of its conditions must hold. */
export interface AnyOf {
  kind: "anyOf";
  groups: (Filter | RelationFilter)[][];
}

export type Condition = Filter | RelationFilter | AnyOf;

export interface Sort {
  target: Target;
  descending: boolean;
}

/** Records that a filter may read, and the bytes of them. */
export interface Measured {
  records: number;
  bytes: number;
}
