/** The editor's view and state, tied to the value of a form. */
import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { closeHistory, history } from "prosemirror-history";
import { EditorState, Plugin, type Command } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLatest } from "../../lib/use-latest.ts";
import { Cards, type Card } from "./cards.ts";
import { documentOf, valueOf } from "./document.ts";
import { clipboardParser } from "./paste/paste.ts";
import { withoutForbidden } from "./paste/pasted-styles.ts";
import { listNumbers, uniqueKeys } from "./plugins.ts";
import type { Allowed } from "./portable-text.ts";
import { schema } from "./schema.ts";
import { shortcuts } from "./shortcuts.ts";

interface EditorOptions {
  value: unknown;
  allowed: Allowed;
  mayChange: boolean;
  /** The attributes of the element that is written in. */
  attributes: Record<string, string>;
  onChange: (value: unknown) => void;
  onLink: () => void;
  /** Opens the form of the selected card. */
  onOpen: (state: EditorState) => boolean;
  onToolbar: () => void;
}

export interface Editor {
  /** Where the library makes its element. */
  mount: { current: HTMLDivElement | null };
  state: EditorState | null;
  cards: readonly Card[];
  /** Runs a command, and puts the cursor back into the text. */
  run: (command: Command) => void;
  focus: () => void;
  /** Reads the browser's selection into the state. */
  readSelection: () => void;
}

/**
 * Tells the library of the selection. The browser does so in a later task. What comes before that finds the selection
 * without the last keys, and once a dialog has the focus, the library does not look any more.
 */
const readSelection = (): void => void document.dispatchEvent(new Event("selectionchange"));

/** Lets keys find the selection that the keys before them made, however fast they come. */
const beforeKeys = new Plugin({
  props: {
    handleKeyDown: (_, event) => {
      // The library makes events of its own while it reads a change of the page: it may not be disturbed then.
      if (event instanceof KeyboardEvent) readSelection();
      return false;
    },
  },
});

/** Compares values whatever the order of their members is: the service may answer with another one. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name) => isSame(Reflect.get(one, name), Reflect.get(other, name)))
  );
}

export function useEditor(options: EditorOptions): Editor {
  const mount = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const [state, setState] = useState<EditorState | null>(null);
  const [cards, setCards] = useState<readonly Card[]>([]);
  const { value, mayChange, attributes, allowed } = options;
  /** The value that the document stands for. */
  const known = useRef(value);
  const change = useLatest((to: unknown): void => {
    known.current = to;
    options.onChange(to);
  });
  const link = useLatest(options.onLink);
  const toolbar = useLatest(options.onToolbar);
  const open = useLatest((): boolean => view.current !== null && options.onOpen(view.current.state));
  const may = useLatest(() => mayChange);
  const named = JSON.stringify(allowed);

  useEffect(() => {
    if (!mount.current) return;
    const own = new Cards();
    own.onChange = setCards;
    const plugins = [
      beforeKeys,
      ...shortcuts(allowed, { onLink: link, onOpen: open, onToolbar: toolbar }),
      history(),
      uniqueKeys,
      listNumbers,
      gapCursor(),
      dropCursor({ class: "rich-drop", color: false, width: 2 }),
    ];
    const created = new EditorView(
      { mount: mount.current },
      {
        state: EditorState.create({ doc: documentOf(known.current), plugins, schema }),
        nodeViews: { card: own.view },
        clipboardParser: clipboardParser(allowed),
        transformPastedHTML: withoutForbidden,
        attributes,
        editable: () => may(),
        dispatchTransaction(transaction) {
          const { state: next, transactions } = created.state.applyTransaction(transaction);
          created.updateState(next);
          setState(next);
          if (transactions.some((one) => one.docChanged && one.getMeta("shown") !== true))
            change(valueOf(next.doc));
        },
      },
    );
    view.current = created;
    setState(created.state);
    return () => {
      view.current = null;
      created.destroy();
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- made again when the field allows something else, and not before
  }, [named]);

  const written = JSON.stringify(attributes);
  useLayoutEffect(() => {
    view.current?.setProps({ attributes });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `written` stands for the attributes, which are a new object each time
  }, [written, mayChange]);

  // A value that differs from the document came from elsewhere: from a reload, or from the other side of a conflict.
  useLayoutEffect(() => {
    const { current } = view;
    if (!current || isSame(value, known.current)) return;
    known.current = value;
    const { tr, doc } = current.state;
    const shown = tr.replaceWith(0, doc.content.size, documentOf(value).content);
    current.dispatch(shown.setMeta("addToHistory", false).setMeta("shown", true));
  }, [value]);

  return useMemo(
    () => ({
      mount,
      state,
      cards,
      run: (command: Command) => {
        const { current } = view;
        if (!current) return;
        readSelection();
        // A step of its own for undo, however soon the next letter comes.
        current.dispatch(closeHistory(current.state.tr));
        command(current.state, current.dispatch.bind(current), current);
        current.dispatch(closeHistory(current.state.tr));
        current.focus();
      },
      focus: () => view.current?.focus(),
      readSelection,
    }),
    [state, cards],
  );
}
