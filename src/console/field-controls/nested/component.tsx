/** One component, or a list of one component's. */
import { nameOf } from "../../api/models.ts";
import { counted } from "../../lib/format.ts";
import type { FieldControls, ShownProps } from "../field-control.tsx";
import { componentNamed, objectsOf } from "./component-value.ts";
import { loaded } from "./lazy.tsx";
import { outlineOf } from "./outline.ts";
import { summaryOf } from "./summary.ts";

function ComponentCell({ field, value, models }: ShownProps) {
  if (Array.isArray(value)) return <>{counted(value.length, "item")}</>;
  const model = componentNamed(models, field.component);
  const [object] = objectsOf(value);
  return <>{model && object ? summaryOf(model, object) || nameOf(model) : ""}</>;
}

export const COMPONENT: FieldControls = {
  Control: loaded(async () => (await import("./controls.tsx")).ComponentControl, 2),
  Cell: ComponentCell,
  Value: loaded(async () => (await import("./controls.tsx")).Objects, 1),
  compared: { textOf: outlineOf, isCode: false },
  Default: null,
};
