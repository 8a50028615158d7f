/** One value of a record in a table: short, on one line. */
import type { Field, Model } from "../api/models.ts";
import { FIELD_CONTROLS } from "./registry.ts";
import { NoValue } from "./shown-text.tsx";
import "./shown.css";

interface CellProps {
  field: Field;
  value: unknown;
  /** All models, for the titles of a relation's targets. */
  models: readonly Model[];
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

export function Cell(props: CellProps) {
  if (isEmpty(props.value)) return <NoValue />;
  const { Cell: Shown } = FIELD_CONTROLS[props.field.type];
  return <Shown {...props} Inner={Value} />;
}

/** Renders one value of a record where there is room: pictures and records by their names, texts whole. */
export function Value(props: CellProps) {
  if (props.value === null || props.value === undefined) return <NoValue />;
  const { Value: Shown } = FIELD_CONTROLS[props.field.type];
  return <Shown {...props} Inner={Value} />;
}
