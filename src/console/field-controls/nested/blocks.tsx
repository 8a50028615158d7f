/** A list of several components: the sections of a page. */
import { counted } from "../../lib/format.ts";
import type { FieldControls } from "../field-control.tsx";
import { loaded } from "./lazy.tsx";
import { outlineOf } from "./outline.ts";

export const BLOCKS: FieldControls = {
  Control: loaded(async () => (await import("./controls.tsx")).BlocksControl, 3),
  Cell: ({ value }) => <>{Array.isArray(value) ? counted(value.length, "block") : ""}</>,
  Value: loaded(async () => (await import("./controls.tsx")).Objects, 1),
  compared: { textOf: outlineOf, isCode: false },
  Default: null,
};
