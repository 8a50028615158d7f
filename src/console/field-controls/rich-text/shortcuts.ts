/** Keys, and Markdown that turns into form while it is typed. Both do what the field allows, and no more. */
import { baseKeymap, chainCommands } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import { InputRule, inputRules, undoInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import type { Command, EditorState, Plugin, Transaction } from "prosemirror-state";
import {
  backspace,
  enter,
  insertBreak,
  moveBlock,
  setStyle,
  shiftLevel,
  toggleList,
} from "./commands/blocks.ts";
import { leaveCard } from "./commands/cards.ts";
import { toggleDecorator } from "./commands/marks.ts";
import { NORMAL, type Allowed } from "./portable-text.ts";
import { attributesOf, MARKS, NODES } from "./schema.ts";

/** The keys of decorators, lists and styles, in ProseMirror's form. `Mod` is Ctrl, or Command on a Mac. */
export const KEYS = {
  decorators: {
    strong: "Mod-b",
    em: "Mod-i",
    underline: "Mod-u",
    "strike-through": "Mod-Shift-x",
    code: "Mod-e",
  } as Readonly<Record<string, string>>,
  lists: { number: "Mod-Shift-7", bullet: "Mod-Shift-8" } as Readonly<Record<string, string>>,
  styles: {
    normal: "Mod-Alt-0",
    h1: "Mod-Alt-1",
    h2: "Mod-Alt-2",
    h3: "Mod-Alt-3",
    h4: "Mod-Alt-4",
    blockquote: "Mod-Shift-9",
  } as Readonly<Record<string, string>>,
  undo: "Mod-z",
  redo: "Mod-Shift-z",
  deeper: "Mod-]",
  shallower: "Mod-[",
  link: "Mod-k",
} as const;

const IS_MAC = typeof navigator !== "undefined" && /Mac|iP(?:hone|ad)/.test(navigator.platform);

/** Returns keys as people call them: `Ctrl+Shift+8`. */
export const keyWords = (keys: string): string =>
  keys
    .split("-")
    .map((key) => (key === "Mod" ? (IS_MAC ? "⌘" : "Ctrl") : key.length === 1 ? key.toUpperCase() : key))
    .join("+");

/** Returns keys in the form of `aria-keyshortcuts`. */
export const keyAttribute = (keys: string): string =>
  keys.replace("Mod", IS_MAC ? "Meta" : "Control").replaceAll("-", "+");

interface Ways {
  onLink: () => void;
  /** Opens the form of the selected card. @returns false if none is selected */
  onOpen: () => boolean;
  onToolbar: () => void;
}

function bindingsOf(allowed: Allowed, { onLink, onOpen, onToolbar }: Ways): Record<string, Command> {
  const bindings: Record<string, Command> = {
    [KEYS.undo]: undo,
    [KEYS.redo]: redo,
    "Mod-y": redo,
    Enter: chainCommands(() => onOpen(), enter),
    "Shift-Enter": insertBreak,
    Backspace: chainCommands(undoInputRule, backspace),
    [KEYS.deeper]: shiftLevel(1),
    [KEYS.shallower]: shiftLevel(-1),
    "Mod-Home": leaveCard("start"),
    "Mod-End": leaveCard("end"),
    "Alt-ArrowUp": moveBlock(-1),
    "Alt-ArrowDown": moveBlock(1),
    "Alt-F10": () => {
      onToolbar();
      return true;
    },
  };
  const nothing: Command = () => true;
  // Without the decorator, the key does nothing: the browser would underline by itself.
  for (const [name, keys] of Object.entries(KEYS.decorators))
    bindings[keys] = allowed.decorators.includes(name) ? toggleDecorator(name) : nothing;
  for (const [kind, keys] of Object.entries(KEYS.lists))
    if (allowed.lists.includes(kind)) bindings[keys] = toggleList(kind);
  for (const [style, keys] of Object.entries(KEYS.styles))
    if (allowed.styles.includes(style)) bindings[keys] = setStyle(style);
  if (allowed.link)
    bindings[KEYS.link] = () => {
      onLink();
      return true;
    };
  return bindings;
}

/** Returns a rule that turns a paragraph into something else by a sign at its start. */
const blockRule = (sign: RegExp, to: Record<string, unknown>): InputRule =>
  new InputRule(sign, (state, _, start, end) => {
    const { $from } = state.selection;
    if ($from.parent.type !== NODES.textBlock) return null;
    const { listItem, style } = attributesOf($from.parent);
    // In a list or a heading, the sign is a sign.
    if (listItem !== null || style !== NORMAL) return null;
    return state.tr.delete(start, end).setNodeMarkup($from.before(), null, { ...$from.parent.attrs, ...to });
  });

/** Signs around a text that give it a form: `**bold**`. */
const markRule = (signs: RegExp, name: string): InputRule =>
  new InputRule(
    signs,
    (state: EditorState, match: RegExpMatchArray, start: number, end: number): Transaction | null => {
      const [whole, before = "", text = ""] = match;
      if (text.trim() === "" || text !== text.trim()) return null;
      const textStart = start + before.length + whole.slice(before.length).indexOf(text);
      const { tr } = state;
      // The last sign is not in the document yet.
      tr.delete(textStart + text.length, end).delete(start + before.length, textStart);
      const from = start + before.length;
      const mark = MARKS.decorator.create({ name });
      return tr.addMark(from, from + text.length, mark).removeStoredMark(mark);
    },
  );

const MARK_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/(^|[^*])\*\*([^*]+)\*\*$/, "strong"],
  [/(^|[^_\w])__([^_]+)__$/, "strong"],
  [/(^|[^*])\*([^*]+)\*$/, "em"],
  [/(^|[^_\w])_([^_]+)_$/, "em"],
  [/(^|[^~])~~([^~]+)~~$/, "strike-through"],
  [/(^|[^`])`([^`]+)`$/, "code"],
];

const STYLE_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^#\s$/, "h1"],
  [/^##\s$/, "h2"],
  [/^###\s$/, "h3"],
  [/^####\s$/, "h4"],
  [/^>\s$/, "blockquote"],
];

const LIST_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^[-*+•]\s$/, "bullet"],
  [/^1[.)]\s$/, "number"],
];

const rulesOf = (allowed: Allowed): InputRule[] => [
  ...STYLE_SIGNS.filter(([, style]) => allowed.styles.includes(style)).map(([sign, style]) =>
    blockRule(sign, { style }),
  ),
  ...LIST_SIGNS.filter(([, kind]) => allowed.lists.includes(kind)).map(([sign, kind]) =>
    blockRule(sign, { listItem: kind, level: 1 }),
  ),
  ...MARK_SIGNS.filter(([, name]) => allowed.decorators.includes(name)).map(([signs, name]) =>
    markRule(signs, name),
  ),
];

export const shortcuts = (allowed: Allowed, ways: Ways): Plugin[] => [
  inputRules({ rules: rulesOf(allowed) }),
  keymap(bindingsOf(allowed, ways)),
  keymap(baseKeymap),
];
