/** The query of a list: conditions and sorts, looked up in the model. */
import type { StoredField } from "../field-types/fields.ts";
import type { Operator } from "./operators.ts";
import type { ListTarget } from "./list-targets.ts";

export type Scalar = string | number;

/** A condition on one field of the model, or on a system field. */
export interface Filter {
  kind: "filter";
  /** The parameter of the request, which names the filter in errors. */
  parameter: string;
  target: ListTarget;
  operator: Operator;
  /** One value, the list of `in`, or 1 and 0 for `null`. The times of system fields are in milliseconds. */
  values: Scalar[];
}

/** A condition on the targets of a relation. One target that meets it is enough. */
export interface RelationFilter {
  kind: "relation";
  relation: StoredField;
  /** The collection that the relation leads to. */
  modelId: number;
  filter: Filter;
  /** A further condition on the targets: that a reader of the locale sees them. */
  also?: Filter | AnyOf | undefined;
}

/** Groups of conditions. All conditions of at least one group must hold. */
export interface AnyOf {
  kind: "anyOf";
  groups: (Filter | RelationFilter)[][];
}

export type Condition = Filter | RelationFilter | AnyOf;

export interface Sort {
  target: ListTarget;
  descending: boolean;
}

/** The number of records that a filter may read, and their bytes. */
export interface Measured {
  records: number;
  bytes: number;
}
