/** The toolbar of the editor: one stop for Tab, arrow keys move in it, and each button says its shortcut. */
import {
  Bold,
  Code,
  Image as ImageIcon,
  IndentDecrease,
  IndentIncrease,
  Italic,
  Link as LinkIcon,
  Link2,
  List,
  ListOrdered,
  Redo2,
  Strikethrough,
  Type,
  Underline,
  Undo2,
} from "lucide-preact";
import { redo, redoDepth, undo, undoDepth } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { annotationAt, hasMark, isDecorator, toggleDecorator } from "../commands/marks.ts";
import { setStyle, shiftLevel, textBlocksIn, toggleList } from "../commands/blocks.ts";
import { INTERNAL_LINK, LINK, type Allowed } from "../portable-text.ts";
import { attributesOf } from "../schema.ts";
import { KEYS } from "../shortcuts.ts";
import { Tool } from "./tool.tsx";
import "./toolbar.css";

const DECORATORS: Record<string, { words: string; icon: ComponentChildren }> = {
  strong: { words: "Bold", icon: <Bold /> },
  em: { words: "Italic", icon: <Italic /> },
  underline: { words: "Underline", icon: <Underline /> },
  "strike-through": { words: "Strikethrough", icon: <Strikethrough /> },
  code: { words: "Code", icon: <Code /> },
};
const LISTS: Record<string, { words: string; icon: ComponentChildren }> = {
  bullet: { words: "Bulleted list", icon: <List /> },
  number: { words: "Numbered list", icon: <ListOrdered /> },
};
const STYLES: Record<string, string> = {
  normal: "Paragraph",
  h1: "Heading 1",
  h2: "Heading 2",
  h3: "Heading 3",
  h4: "Heading 4",
  h5: "Heading 5",
  h6: "Heading 6",
  blockquote: "Quotation",
};

/** Returns a name of a style, a list or a decorator as words: `pullQuote` as "Pull quote". */
function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A component that may stand in the text. */
export interface Offered {
  name: string;
  words: string;
}

interface ToolbarProps {
  /** The element of the toolbar, to which Alt+F10 leads. */
  bar: RefObject<HTMLDivElement>;
  state: EditorState;
  allowed: Allowed;
  components: readonly Offered[];
  onRun: (command: Command) => void;
  /** Called before a press reaches one of the tools. */
  onReach: () => void;
  onLink: () => void;
  onInternalLink: () => void;
  onImage: () => void;
  onComponent: (name: string) => void;
  /** Called when the reader leaves the toolbar with Escape. */
  onLeave: () => void;
}

const ITEMS = "button, select";
const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Makes one item of the toolbar the stop of Tab. */
function stopAt(bar: HTMLElement, item: Element | null): void {
  for (const one of bar.querySelectorAll<HTMLElement>(ITEMS)) one.tabIndex = one === item ? 0 : -1;
}

function StyleSelect({ state, allowed, onRun }: Pick<ToolbarProps, "state" | "allowed" | "onRun">) {
  const [first, ...others] = textBlocksIn(state).map(({ node }) => attributesOf(node).style);
  const style = first !== undefined && others.every((one) => one === first) ? first : "";
  const isKnown = allowed.styles.includes(style);
  return (
    <select
      class="rich-style"
      aria-label="Style"
      value={style}
      onChange={(event) => onRun(setStyle(event.currentTarget.value))}
    >
      {!isKnown && (
        <option value={style} hidden={style === ""}>
          {style === "" ? "Style" : wordsOf(style)}
        </option>
      )}
      {allowed.styles.map((one) => (
        <option key={one} value={one}>
          {STYLES[one] ?? wordsOf(one)}
        </option>
      ))}
    </select>
  );
}

const Part = ({ children }: { children: ComponentChildren }) => <div class="rich-tools">{children}</div>;

export function Toolbar(props: ToolbarProps) {
  const { bar, state, allowed, components, onRun, onLeave } = props;
  const items = textBlocksIn(state).map(({ node }) => attributesOf(node));
  const kinds = new Set(items.map(({ listItem }) => listItem));
  const hasItems = items.some(({ listItem }) => listItem !== null);
  useLayoutEffect(() => {
    const tools = [...(bar.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
    const stops = tools.filter(({ tabIndex }) => tabIndex === 0);
    // At first, and when the stop has gone: a tool that is not always there.
    if (bar.current && stops.length !== 1) stopAt(bar.current, tools[0] ?? null);
  });
  const move = (event: KeyboardEvent): void => {
    const { target, currentTarget, key } = event;
    if (key === "Escape") {
      event.preventDefault();
      onLeave();
      return;
    }
    const step = STEPS[key];
    if (!step || !(currentTarget instanceof HTMLElement)) return;
    const all = [...currentTarget.querySelectorAll<HTMLElement>(ITEMS)].filter(
      (one) => !one.matches(":disabled"),
    );
    const next = all[step(all.indexOf(target as HTMLElement), all.length)];
    if (!next) return;
    event.preventDefault();
    stopAt(currentTarget, next);
    next.focus();
  };
  return (
    <div
      ref={bar}
      class="rich-toolbar"
      role="toolbar"
      aria-label="Formatting"
      onKeyDown={move}
      onMouseDownCapture={props.onReach}
      onFocusIn={(event) => stopAt(event.currentTarget, event.target as Element)}
    >
      {(allowed.styles.length > 1 || allowed.styles[0] !== "normal") && (
        <Part>
          <StyleSelect state={state} allowed={allowed} onRun={onRun} />
        </Part>
      )}
      {allowed.decorators.length > 0 && (
        <Part>
          {allowed.decorators.map((name) => (
            <Tool
              key={name}
              name={DECORATORS[name]?.words ?? wordsOf(name)}
              icon={DECORATORS[name]?.icon ?? <Type />}
              keys={KEYS.decorators[name]}
              isOn={hasMark(state, isDecorator(name))}
              onUse={() => onRun(toggleDecorator(name))}
            />
          ))}
        </Part>
      )}
      {(allowed.link || allowed.internalLink !== null) && (
        <Part>
          {allowed.link && (
            <Tool
              name="Link"
              icon={<LinkIcon />}
              keys={KEYS.link}
              isOn={annotationAt(state, LINK) !== null}
              onUse={props.onLink}
            />
          )}
          {allowed.internalLink !== null && (
            <Tool
              name="Record link"
              icon={<Link2 />}
              isOn={annotationAt(state, INTERNAL_LINK) !== null}
              onUse={props.onInternalLink}
            />
          )}
        </Part>
      )}
      {allowed.lists.length > 0 && (
        <Part>
          {allowed.lists.map((kind) => (
            <Tool
              key={kind}
              name={LISTS[kind]?.words ?? `${wordsOf(kind)} list`}
              icon={LISTS[kind]?.icon ?? <List />}
              keys={KEYS.lists[kind]}
              isOn={kinds.size === 1 && kinds.has(kind)}
              onUse={() => onRun(toggleList(kind))}
            />
          ))}
          {hasItems && (
            <>
              <Tool
                name="Level up"
                icon={<IndentDecrease />}
                keys={KEYS.shallower}
                isOff={!shiftLevel(-1)(state)}
                onUse={() => onRun(shiftLevel(-1))}
              />
              <Tool
                name="Level down"
                icon={<IndentIncrease />}
                keys={KEYS.deeper}
                isOff={!shiftLevel(1)(state)}
                onUse={() => onRun(shiftLevel(1))}
              />
            </>
          )}
        </Part>
      )}
      {(allowed.image || components.length > 0) && (
        <Part>
          {allowed.image && <Tool name="Picture" icon={<ImageIcon />} onUse={props.onImage} />}
          {components.length > 0 && (
            <select
              class="rich-style rich-insert"
              aria-label="Insert"
              value=""
              onChange={({ currentTarget }) => {
                const { value } = currentTarget;
                currentTarget.value = "";
                props.onComponent(value);
              }}
            >
              <option value="" hidden>
                Insert
              </option>
              {components.map(({ name, words }) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Part>
      )}
      <Part>
        <Tool
          name="Undo"
          icon={<Undo2 />}
          keys={KEYS.undo}
          isOff={undoDepth(state) === 0}
          onUse={() => onRun(undo)}
        />
        <Tool
          name="Redo"
          icon={<Redo2 />}
          keys={KEYS.redo}
          isOff={redoDepth(state) === 0}
          onUse={() => onRun(redo)}
        />
      </Part>
    </div>
  );
}
