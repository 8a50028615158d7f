/** Which items of a list are selected, and the bar that says what can be done with them together. */
import { X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useCallback, useState } from "preact/hooks";
import { count } from "../../lib/format.ts";
import { useRootMark } from "../../lib/use-root-mark.ts";
import { IconButton } from "../button.tsx";
import "./selection.css";

/** A selected item as it was on screen when the reader selected it. */
export interface Selected {
  name: string;
  /** The version that the reader saw; absent for items that have none. */
  version?: number;
}

export interface Selection {
  /** The selected items by their ids. */
  items: ReadonlyMap<string, Selected>;
  toggle: (id: string, item: Selected) => void;
  /** Takes some out of the selection; all without `ids`. */
  clear: (ids?: readonly string[]) => void;
}

export function useSelection(): Selection {
  const [items, setItems] = useState<ReadonlyMap<string, Selected>>(new Map());
  const toggle = useCallback(
    (id: string, item: Selected): void =>
      setItems((was) => {
        const now = new Map(was);
        if (!now.delete(id)) now.set(id, item);
        return now;
      }),
    [],
  );
  const clear = useCallback(
    (ids?: readonly string[]): void =>
      setItems((was) => new Map(ids ? [...was].filter(([id]) => !ids.includes(id)) : [])),
    [],
  );
  return { items, toggle, clear };
}

/** Renders the bar of the selection, and nothing while nothing is selected. */
export function SelectionBar({
  selection,
  label,
  children,
}: {
  selection: Selection;
  label: string;
  /** Buttons. */
  children: ComponentChildren;
}) {
  const { items, clear } = selection;
  useRootMark("selecting", items.size > 0);
  if (items.size === 0) return null;
  return (
    <div class="selection" role="toolbar" aria-label={label}>
      <p class="numbers">{count(items.size)} selected</p>
      {children}
      <IconButton name="Select none" icon={<X />} onClick={() => clear()} />
    </div>
  );
}
