/** Commands for the marks of text: decorators and links. */
import type { Mark, Node } from "prosemirror-model";
import { NodeSelection, TextSelection, type Command, type EditorState } from "prosemirror-state";
import { newKey, type MarkDef } from "../portable-text.ts";
import { MARKS } from "../schema.ts";

/** Returns whether all selected text has a mark; of an empty selection, whether text that is typed gets it. */
export function hasMark(
  { doc, selection, storedMarks }: EditorState,
  isWanted: (mark: Mark) => boolean,
): boolean {
  const { from, to, empty, $from } = selection;
  if (empty) return (storedMarks ?? $from.marks()).some(isWanted);
  const texts: Node[] = [];
  doc.nodesBetween(from, to, (node) => {
    if (node.isText) texts.push(node);
  });
  return texts.length > 0 && texts.every(({ marks }) => marks.some(isWanted));
}

export const isDecorator =
  (name: string) =>
  (mark: Mark): boolean =>
    mark.type === MARKS.decorator && mark.attrs["name"] === name;

export const toggleDecorator =
  (name: string): Command =>
  (state, dispatch) => {
    if (state.selection instanceof NodeSelection) return false;
    if (!dispatch) return true;
    const { tr, selection } = state;
    const mark = MARKS.decorator.create({ name });
    const has = hasMark(state, isDecorator(name));
    if (selection.empty) dispatch(has ? tr.removeStoredMark(mark) : tr.addStoredMark(mark));
    else
      dispatch(
        (has
          ? tr.removeMark(selection.from, selection.to, mark)
          : tr.addMark(selection.from, selection.to, mark)
        ).scrollIntoView(),
      );
    return true;
  };

const isAnnotation =
  (type: string) =>
  (mark: Mark): boolean =>
    mark.type === MARKS.annotation && (mark.attrs["definition"] as MarkDef)._type === type;

export interface AnnotationRange {
  from: number;
  to: number;
  mark: Mark;
}

/** Returns the link at the cursor, or the one in the selection, with all of its text in its block. */
export function annotationAt({ doc, selection }: EditorState, type: string): AnnotationRange | null {
  let found: AnnotationRange | null = null;
  const { $from } = selection;
  const from = selection.empty ? $from.start() : selection.from;
  const to = selection.empty ? $from.end() : selection.to;
  if (selection.empty && !$from.parent.isTextblock) return null;
  doc.nodesBetween(from, to, (node, at) => {
    const mark = node.isText ? node.marks.find(isAnnotation(type)) : undefined;
    if (!mark) return;
    const end = at + node.nodeSize;
    const last: AnnotationRange | null = found;
    if (last && last.to === at && last.mark.eq(mark)) last.to = end;
    else if (!last || (selection.empty && last.to < selection.from)) found = { from: at, to: end, mark };
  });
  const range = found as AnnotationRange | null;
  if (!range || !selection.empty) return range;
  return range.from <= selection.from && selection.from <= range.to ? range : null;
}

/**
 * Puts a link on the selected text, or changes the link there.
 * @param members of its definition beside type and key
 * @param text to insert with the link if no text is selected
 */
export const annotate =
  (type: string, members: Record<string, unknown>, text: string): Command =>
  (state, dispatch) => {
    if (!dispatch) return true;
    const { tr, selection } = state;
    const present = annotationAt(state, type);
    const stored = present?.mark.attrs["definition"] as MarkDef | undefined;
    const definition: MarkDef = stored
      ? { ...stored, ...members }
      : { _type: type, _key: newKey(), ...members };
    const mark = MARKS.annotation.create({ definition });
    if (present) {
      tr.removeMark(present.from, present.to, present.mark).addMark(present.from, present.to, mark);
    } else if (selection.empty) {
      const { from } = selection;
      const marks = mark.addToSet(
        (state.storedMarks ?? selection.$from.marks()).filter(({ type: { name } }) => name === "decorator"),
      );
      tr.insert(from, state.schema.text(text, marks));
      tr.setSelection(TextSelection.create(tr.doc, from + text.length)).setStoredMarks([]);
    } else {
      tr.addMark(selection.from, selection.to, mark);
    }
    dispatch(tr.scrollIntoView());
    return true;
  };

export const removeAnnotation =
  (type: string): Command =>
  (state, dispatch) => {
    const present = annotationAt(state, type);
    if (!present) return false;
    dispatch?.(state.tr.removeMark(present.from, present.to, present.mark));
    return true;
  };
