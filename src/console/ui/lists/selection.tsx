/** Which items of a list are selected, and the bar that says what can be done with them together. */
import { X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useCallback, useState } from "preact/hooks";
import { count } from "../../lib/format.ts";
import { useRootMark } from "../../lib/use-root-mark.ts";
import { IconButton } from "../button.tsx";
import "./selection.css";

export interface Selection {
  /** What people call each item, by its id. */
  names: ReadonlyMap<string, string>;
  toggle: (id: string, name: string) => void;
  /** Takes some out of the selection; all without `ids`. */
  clear: (ids?: readonly string[]) => void;
}

export function useSelection(): Selection {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const toggle = useCallback(
    (id: string, name: string): void =>
      setNames((was) => {
        const now = new Map(was);
        if (!now.delete(id)) now.set(id, name);
        return now;
      }),
    [],
  );
  const clear = useCallback(
    (ids?: readonly string[]): void =>
      setNames((was) => new Map(ids ? [...was].filter(([id]) => !ids.includes(id)) : [])),
    [],
  );
  return { names, toggle, clear };
}

/** Nothing while nothing is selected. */
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
  const { names, clear } = selection;
  useRootMark("selecting", names.size > 0);
  if (names.size === 0) return null;
  return (
    <div class="selection" role="toolbar" aria-label={label}>
      <p class="numbers">{count(names.size)} selected</p>
      {children}
      <IconButton name="Select none" icon={<X />} onClick={() => clear()} />
    </div>
  );
}
