/** The control of a field, whatever its type. */
import { FIELD_CONTROLS } from "./registry.ts";
import type { InnerControl } from "./field-control.tsx";

export const AnyControl: InnerControl = (props) => {
  const { Control } = FIELD_CONTROLS[props.field.type];
  return <Control {...props} Inner={AnyControl} />;
};
