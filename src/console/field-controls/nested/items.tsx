/** A list of components: each is moved by pointer or keys, doubled, folded and removed; new ones come at its end. */
import { ArrowDown, ArrowUp, ChevronDown, Copy, GripVertical, Plus, Trash2 } from "lucide-preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { faultsWithin } from "../../api/faults.ts";
import { nameOf, type Model } from "../../api/models.ts";
import { IconButton } from "../../ui/button.tsx";
import type { FieldControlProps } from "../field-control.tsx";
import { componentOf, copyOf, newObject, objectsOf, type ComponentObject } from "./component-value.ts";
import { Group } from "./group.tsx";
import { InnerFields } from "./inner-fields.tsx";
import { summaryOf } from "./summary.ts";
import { useDrag, type Drag } from "./use-drag.ts";
import "../../ui/add-one.css";

interface ItemProps extends Pick<FieldControlProps, "models" | "mayChange" | "faults" | "Inner"> {
  object: ComponentObject;
  model: Model | undefined;
  at: number;
  count: number;
  isOpen: boolean;
  isFull: boolean;
  drag: Drag | null;
  onToggle: () => void;
  onChange: (to: ComponentObject) => void;
  onMove: (to: number) => void;
  onGrip: (event: PointerEvent) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

/** Returns the class of an item while another one, or it itself, is dragged. */
function dragClass(drag: Drag | null, at: number): string {
  if (!drag) return "";
  if (drag.from === at) return " nested-item-dragged";
  const isBefore = at - (at > drag.from ? 1 : 0);
  if (isBefore === drag.to && drag.to !== drag.from) return " nested-item-before";
  return isBefore === drag.to - 1 && drag.to !== drag.from ? " nested-item-after" : "";
}

function Item(props: ItemProps) {
  const { object, model, at, count, isOpen, isFull, faults, mayChange, drag, onMove } = props;
  const id = useId();
  const words = model ? nameOf(model) : (object._type ?? "Item");
  // A number tells items of one component apart where only the name is heard.
  const called = `${words} ${at + 1}`;
  const summary = model ? summaryOf(model, object) : "";
  const moveByKey = (event: KeyboardEvent): void => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to < count && to !== at) onMove(to);
  };
  return (
    <li
      class={`nested-item${isOpen ? " nested-item-open" : ""}${dragClass(drag, at)}`}
      style={drag?.from === at ? { transform: `translateY(${drag.by}px)` } : undefined}
    >
      <div class="nested-head">
        {mayChange && (
          <button
            type="button"
            class="icon-button nested-grip"
            aria-label={`Move ${called}`}
            title="Drag, or press the arrow keys"
            data-grip={object._key}
            onPointerDown={props.onGrip}
            onKeyDown={moveByKey}
          >
            <GripVertical />
          </button>
        )}
        <button
          type="button"
          class="nested-toggle"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={props.onToggle}
        >
          <ChevronDown aria-hidden="true" />
          <span class="nested-number numbers">{at + 1}</span> <span class="nested-kind">{words}</span>{" "}
          <span class="nested-summary">{summary}</span>{" "}
          {faults.size > 0 && <span class="badge badge-bad">to mend</span>}
        </button>
        {mayChange && (
          <div class="nested-ways">
            <IconButton
              name={`${called} up`}
              icon={<ArrowUp />}
              disabled={at === 0}
              onClick={() => onMove(at - 1)}
            />
            <IconButton
              name={`${called} down`}
              icon={<ArrowDown />}
              disabled={at === count - 1}
              onClick={() => onMove(at + 1)}
            />
            <IconButton
              name={`Duplicate ${called}`}
              icon={<Copy />}
              disabled={isFull}
              onClick={props.onDuplicate}
            />
            <IconButton name={`Remove ${called}`} icon={<Trash2 />} onClick={props.onRemove} />
          </div>
        )}
      </div>
      {isOpen && (
        <div id={id} class="nested-body" role="group" aria-label={called}>
          {model ? (
            <InnerFields
              fields={model.fields}
              values={object}
              models={props.models}
              mayChange={mayChange}
              faults={faults}
              Inner={props.Inner}
              onChange={(name, to) => props.onChange({ ...object, [name]: to })}
            />
          ) : (
            <p class="field-hint">The component {words} is not there any more.</p>
          )}
        </div>
      )}
    </li>
  );
}

interface AddProps {
  components: readonly Model[];
  onAdd: (model: Model) => void;
}

function Add({ components, onAdd }: AddProps) {
  return (
    <ul class="nested-add">
      {components.map((model) => (
        <li key={model.name}>
          <button
            type="button"
            class="add-one"
            aria-label={`Add ${nameOf(model)}`}
            title={model.description ?? undefined}
            onClick={() => onAdd(model)}
          >
            <Plus aria-hidden="true" />
            {nameOf(model)}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ItemsProps extends FieldControlProps {
  /** The components of which items can be added. */
  components: readonly Model[];
}

export function Items(props: ItemsProps) {
  const { field, value, models, mayChange, faults, Inner, onChange, components } = props;
  const objects = objectsOf(value);
  const list = useRef<HTMLOListElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState("");
  // A list of one is open at first. Of several, the reader sees the order first.
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(objects.length === 1 ? [objects[0]?._key ?? ""] : []),
  );
  /** The selector of what gets the focus once the list is drawn. */
  const next = useRef<string | null>(null);
  // In the task that draws it, so that the next key finds it.
  useLayoutEffect(() => {
    if (next.current === null) return;
    group.current?.querySelector<HTMLElement>(next.current)?.focus();
    next.current = null;
  });
  const faultsOf = (at: number) => faultsWithin(faults, String(at));
  const faulty = objects.flatMap(({ _key = "" }, at) => (faultsOf(at).size > 0 ? [_key] : [])).join(" ");
  useEffect(() => {
    if (faulty !== "") setOpen((known) => new Set([...known, ...faulty.split(" ")]));
  }, [faulty]);

  const grip = ({ _key = "" }: ComponentObject): string => `[data-grip="${CSS.escape(_key)}"]`;
  const move = (from: number, to: number): void => {
    const order = [...objects];
    const [moved] = order.splice(from, 1);
    if (!moved) return;
    order.splice(to, 0, moved);
    onChange(order);
    const model = componentOf(models, field, moved);
    setSaid(`${model ? nameOf(model) : "It"} is now ${to + 1} of ${order.length}`);
  };
  const insert = (object: ComponentObject, at: number): void => {
    onChange(objects.toSpliced(at, 0, object));
    setOpen(new Set([...open, object._key ?? ""]));
    next.current = `.nested-items > :nth-child(${at + 1}) .nested-body :is(input, select, textarea, button, [contenteditable])`;
  };
  const { drag, start } = useDrag(list, move);
  const isFull = field.max !== undefined && objects.length >= field.max;
  const aside = field.max === undefined ? objects.length || undefined : `${objects.length} of ${field.max}`;
  return (
    <Group field={field} faults={faults} aside={aside}>
      <div ref={group} class="nested-list">
        {objects.length > 0 && (
          <ol ref={list} class="nested-items">
            {objects.map((object, at) => {
              const key = object._key ?? String(at);
              return (
                <Item
                  key={key}
                  object={object}
                  model={componentOf(models, field, object)}
                  models={models}
                  at={at}
                  count={objects.length}
                  isOpen={open.has(key)}
                  isFull={isFull}
                  faults={faultsOf(at)}
                  mayChange={mayChange}
                  Inner={Inner}
                  drag={drag}
                  onToggle={() => {
                    const keys = new Set(open);
                    if (!keys.delete(key)) keys.add(key);
                    setOpen(keys);
                  }}
                  onChange={(to) => onChange(objects.with(at, to))}
                  onMove={(to) => {
                    next.current = grip(object);
                    move(at, to);
                  }}
                  onGrip={(event) => start(event, at)}
                  onDuplicate={() => insert(copyOf(object), at + 1)}
                  onRemove={() => {
                    onChange(objects.toSpliced(at, 1));
                    const after = objects[at + 1] ?? objects[at - 1];
                    next.current = after ? grip(after) : ".add-one";
                  }}
                />
              );
            })}
          </ol>
        )}
        {mayChange && !isFull && (
          <Add
            components={components}
            onAdd={(model) => insert(newObject(model, field.component === undefined), objects.length)}
          />
        )}
        {mayChange && isFull && <p class="field-hint">No more than {field.max} fit here.</p>}
        <p class="visually-hidden" aria-live="polite">
          {said}
        </p>
      </div>
    </Group>
  );
}
