/** A modal dialog: the browser's own, which keeps the focus inside and closes on Escape unless its question must be answered. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { X } from "lucide-preact";
import { useAtRisk } from "../lib/at-risk.ts";
import { useLatest } from "../lib/use-latest.ts";
import { IconButton } from "./button.tsx";
import "./dialog.css";

interface DialogProps {
  title: string;
  /** Left out for a dialog that only its own buttons end: Escape, and a press beside it, do nothing then. */
  onClose?: () => void;
  children: ComponentChildren;
  /** Buttons below the content. */
  actions?: ComponentChildren;
  wide?: boolean;
  /** Whether the first control of the content has the focus at first, instead of the button that closes the dialog. */
  isForm?: boolean;
}

const CONTROLS = ":is(input, select, textarea, button, [contenteditable=true]):not(:disabled)";

/** Renders a dialog, which is open for as long as it is rendered. */
export function Dialog({ title, onClose, children, actions, wide = false, isForm = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useLatest(() => onClose?.());
  const [isTouched, setTouched] = useState(false);
  useAtRisk(isTouched && onClose ? `The dialog "${title}" has changes that are not saved.` : null);
  // In the task that draws it: a key that comes next is meant for the dialog, and not for the page below.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    if (isForm) dialog?.querySelector<HTMLElement>(`.dialog-body ${CONTROLS}`)?.focus();
    return () => dialog?.close();
  }, [isForm]);
  return (
    <dialog
      ref={ref}
      class={wide ? "dialog dialog-wide" : "dialog"}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={() => {
        // Browsers close a dialog by the second Escape, whatever was made of the first.
        if (!onClose && ref.current?.isConnected) ref.current.showModal();
      }}
      onInput={() => setTouched(true)}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="dialog-sheet">
        <header class="dialog-head">
          <h2>{title}</h2>
          {onClose && <IconButton name="Close" icon={<X />} onClick={close} />}
        </header>
        <div class="dialog-body">{children}</div>
        {actions && <footer class="dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  );
}
