/** A button of the toolbar. */
import type { ComponentChildren } from "preact";
import { keyAttribute, keyWords } from "../shortcuts.ts";

interface ToolProps {
  name: string;
  icon: ComponentChildren;
  keys?: string | undefined;
  /** Undefined for a button that is no switch. */
  isOn?: boolean | undefined;
  isOff?: boolean;
  onUse: () => void;
}

export function Tool({ name, icon, keys, isOn, isOff = false, onUse }: ToolProps) {
  return (
    <button
      type="button"
      class="rich-tool"
      aria-label={name}
      title={keys === undefined ? name : `${name} (${keyWords(keys)})`}
      aria-keyshortcuts={keys === undefined ? undefined : keyAttribute(keys)}
      aria-pressed={isOn}
      aria-disabled={isOff || undefined}
      tabIndex={-1}
      // The cursor and the keyboard of a phone stay where they are.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        if (!isOff) onUse();
      }}
    >
      {icon}
    </button>
  );
}
