/** Rich text. The editor is large and is loaded when a form first shows such a field. */
import { labelled, type FieldControls } from "../field-control.tsx";
import { loaded } from "../nested/lazy.tsx";
import { short } from "../shown-text.tsx";
import { outline, plainText } from "./portable-text.ts";

export const RICHTEXT: FieldControls = {
  Control: labelled(loaded(async () => (await import("./editor.tsx")).RichTextEditor, 4)),
  Cell: ({ value }) => <>{short(plainText(value))}</>,
  Value: loaded(async () => (await import("./shown-rich-text.tsx")).ShownRichText, 1),
  compared: { textOf: outline, isCode: false },
  Default: null,
};
