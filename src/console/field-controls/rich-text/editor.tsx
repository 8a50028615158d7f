/** The rich-text editor: ProseMirror below a toolbar of the console's own. Loaded when a form first shows such a field. */
import type { EditorState } from "prosemirror-state";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { faultsWithin, NO_FAULTS, type Faults } from "../../api/faults.ts";
import { collectionNamed, labelOf, nameOf } from "../../api/models.ts";
import { titleOf, useReadRecord } from "../../api/records.ts";
import { counted } from "../../lib/format.ts";
import { Portal } from "../../lib/portal.tsx";
import { complain } from "../../ui/toast.tsx";
import type { InputProps } from "../field-control.tsx";
import { useContentLanguage } from "../language.ts";
import { MediaPicker } from "../pickers/media-picker.tsx";
import { componentNamed } from "../nested/component-value.ts";
import { startOf } from "../nested/start.ts";
import { RecordPicker } from "../pickers/record-picker.tsx";
import { CardFace } from "./card-face.tsx";
import type { Card } from "./cards.ts";
import { annotate, annotationAt, removeAnnotation } from "./commands/marks.ts";
import { changeCard, insertObject, removeCard, selectedCard } from "./commands/cards.ts";
import { goToBlock } from "./commands/blocks.ts";
import { LinkDialog } from "./link-dialog.tsx";
import { IMAGE_FIELDS, ObjectDialog } from "./object-dialog.tsx";
import {
  allowedIn,
  IMAGE,
  INTERNAL_LINK,
  LINK,
  newKey,
  type MarkDef,
  type ObjectBlock,
} from "./portable-text.ts";
import { NODES, objectOf } from "./schema.ts";
import { Toolbar } from "./toolbar/toolbar.tsx";
import { useEditor } from "./use-editor.ts";
import { wordsIn } from "./words.ts";
import "./rich-text.css";
import "./cards.css";

/** The dialog that is open. */
type Open =
  | { kind: "link" | "record" | "picture" }
  /** @property at the place of the card; null for a new one */
  | { kind: "object"; value: ObjectBlock; at: number | null };

/** Returns the number of the block at a place of the document, by which the service names its faults. */
const indexAt = (state: EditorState, at: number): number => state.doc.resolve(at).index(0);

const QUOTED_CHARACTERS = 40;

/** A fault of the text, with the place of its paragraph in the document; null for a fault of the whole. */
interface TextFault {
  words: string;
  at: number | null;
}

/** Returns the place of a block in the document. */
function placeOf({ doc }: EditorState, index: number): number {
  let at = 0;
  for (let before = 0; before < index; before++) at += doc.child(before).nodeSize;
  return at;
}

/** Returns the faults that no card shows: those of the text, with the words at which it begins. */
function textFaults(faults: Faults, state: EditorState | null): TextFault[] {
  return [...faults].flatMap(([path, messages]): TextFault[] => {
    const [, number] = /^(\d+)(?:\.|$)/.exec(path) ?? [];
    const block = number === undefined ? null : state?.doc.maybeChild(Number(number));
    if (!state || !block) return messages.map((words) => ({ words, at: null }));
    if (block.type === NODES.card) return [];
    const text = block.textContent;
    const start = text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text;
    const at = placeOf(state, Number(number));
    const quoted = start === "" ? "An empty paragraph" : `“${start}”`;
    return messages.map((message) => ({ words: `${quoted}: ${message}`, at }));
  });
}

export function RichTextEditor(props: InputProps) {
  const { field, value, models, mayChange, control, faults, Inner } = props;
  const [open, setOpen] = useState<Open | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const language = useContentLanguage();
  const allowed = useMemo(() => allowedIn(field), [field]);
  const componentOf = (name: string) => componentNamed(models, name);
  const target = collectionNamed(models, allowed.internalLink);
  const readTarget = useReadRecord(target ?? { typeModel: "collections", name: "" });

  const openCard = (state: EditorState): boolean => {
    const card = selectedCard(state);
    if (!card) return false;
    setOpen({ kind: "object", value: objectOf(card.node), at: card.at });
    return true;
  };
  const editor = useEditor({
    value,
    allowed,
    mayChange,
    attributes: {
      id: control.id,
      class: "rich-text",
      role: "textbox",
      "aria-multiline": "true",
      ...language,
      "aria-label": labelOf(field),
      ...(control["aria-describedby"] !== undefined && { "aria-describedby": control["aria-describedby"] }),
      ...(control["aria-invalid"] && { "aria-invalid": "true" }),
      ...(field.required && { "aria-required": "true" }),
      ...(!mayChange && { "aria-readonly": "true", tabindex: "0" }),
    },
    onChange: props.onChange,
    onLink: () => setOpen({ kind: "link" }),
    onOpen: openCard,
    onToolbar: () => bar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
  });
  const { state, cards, run, focus } = editor;
  const close = useCallback(() => setOpen(null), []);
  const wasOpen = useRef(false);
  // With the dialog's end, which gives the focus back, but not the selection: the next key must find both.
  useLayoutEffect(() => {
    if (wasOpen.current && !open) focus();
    wasOpen.current = open !== null;
  }, [open, focus]);
  const components = allowed.components.map((name) => {
    const model = componentOf(name);
    return { name, words: model ? nameOf(model) : name };
  });

  const takeRecord = ([id]: readonly string[]): void => {
    if (id === undefined || !target) return;
    if (state?.selection.empty === false) {
      run(annotate(INTERNAL_LINK, { record: id }, ""));
      return;
    }
    readTarget(id)
      .then((record) => run(annotate(INTERNAL_LINK, { record: id }, titleOf(target, record))))
      .catch((reason: unknown) => complain(reason instanceof Error ? reason.message : String(reason)));
  };
  const linkOf = (type: string): MarkDef | undefined => {
    const present = state && annotationAt(state, type);
    return present?.mark.attrs["definition"] as MarkDef | undefined;
  };
  const cardFaults = (card: Card): Faults => {
    const at = card.at();
    return state && at !== undefined && at <= state.doc.content.size
      ? faultsWithin(faults, String(indexAt(state, at)))
      : NO_FAULTS;
  };
  const others = textFaults(faults, state);
  return (
    <div class={control["aria-invalid"] ? "rich rich-invalid" : "rich"}>
      {mayChange && state && (
        <Toolbar
          bar={bar}
          state={state}
          allowed={allowed}
          components={components}
          onRun={run}
          onReach={editor.readSelection}
          onLink={() => setOpen({ kind: "link" })}
          onInternalLink={() =>
            linkOf(INTERNAL_LINK) ? run(removeAnnotation(INTERNAL_LINK)) : setOpen({ kind: "record" })
          }
          onImage={() => setOpen({ kind: "picture" })}
          onComponent={(name) => {
            const model = componentOf(name);
            if (model)
              setOpen({
                kind: "object",
                value: { _type: name, _key: newKey(), ...startOf(model) },
                at: null,
              });
          }}
          onLeave={focus}
        />
      )}
      <div ref={editor.mount} />
      <p class="rich-foot numbers">{counted(state ? wordsIn(state.doc) : 0, "word")}</p>
      {others.length > 0 && (
        <ul class="rich-faults field-faults">
          {others.map(({ words, at }) => (
            <li key={words}>
              {at === null ? (
                words
              ) : (
                <button
                  type="button"
                  class="rich-fault"
                  title="Go to this paragraph"
                  onClick={() => {
                    run(goToBlock(at));
                    focus();
                  }}
                >
                  {words}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {cards.map((card) => (
        <Portal key={card.value._key} into={card.element}>
          <CardFace
            value={card.value}
            models={models}
            isFaulty={cardFaults(card).size > 0}
            onOpen={() => setOpen({ kind: "object", value: card.value, at: card.at() ?? null })}
            onRemove={
              mayChange
                ? () => {
                    const at = card.at();
                    if (at !== undefined) run(removeCard(at));
                  }
                : null
            }
          />
        </Portal>
      ))}
      {open?.kind === "link" && (
        <LinkDialog
          href={(linkOf(LINK)?.["href"] as string | undefined) ?? null}
          onTake={(href) => {
            run(annotate(LINK, { href }, href.replace(/^(?:https?:\/\/|mailto:|tel:)/, "")));
            close();
          }}
          onRemove={() => {
            run(removeAnnotation(LINK));
            close();
          }}
          onClose={close}
        />
      )}
      {open?.kind === "record" && target && (
        <RecordPicker target={target} chosen={[]} isMany={false} onTake={takeRecord} onClose={close} />
      )}
      {open?.kind === "picture" && (
        <MediaPicker
          chosen={[]}
          isMany={false}
          onTake={([media]) => {
            if (media !== undefined) run(insertObject({ _type: IMAGE, _key: newKey(), media }));
          }}
          onClose={close}
        />
      )}
      {open?.kind === "object" && (
        <ObjectDialog
          title={
            open.value._type === IMAGE
              ? "Picture"
              : nameOf(componentOf(open.value._type) ?? { label: null, name: open.value._type })
          }
          value={open.value}
          fields={open.value._type === IMAGE ? IMAGE_FIELDS : (componentOf(open.value._type)?.fields ?? [])}
          models={models}
          mayChange={mayChange}
          faults={
            state && open.at !== null ? faultsWithin(faults, String(indexAt(state, open.at))) : NO_FAULTS
          }
          Inner={Inner}
          onTake={(to) => {
            run(open.at === null ? insertObject(to) : changeCard(open.at, to));
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
