/** Short messages about what was done or went wrong, read out when they appear. */
import { X } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import { IconButton } from "./button.tsx";
import "./toast.css";

interface Toast {
  id: number;
  text: string;
  isFault: boolean;
}

const SHOWN_MS = 6000;
let next = 1;
let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

function change(to: readonly Toast[]): void {
  toasts = to;
  for (const listener of listeners) listener();
}
const dismiss = (id: number): void => change(toasts.filter((toast) => toast.id !== id));

function show(text: string, isFault: boolean): void {
  const id = next++;
  change([...toasts.filter((toast) => toast.text !== text).slice(-3), { id, text, isFault }]);
  // A message of a fault stays until it is read.
  if (!isFault) setTimeout(() => dismiss(id), SHOWN_MS);
}

export const notify = (text: string): void => show(text, false);
export const complain = (text: string): void => show(text, true);

/** Renders the place of messages. Once per page. */
export function Toasts() {
  const [, render] = useState(0);
  useEffect(() => {
    const listener = (): void => render((n) => n + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return (
    <div class="toasts" role="log" aria-label="Messages">
      {toasts.map(({ id, text, isFault }) => (
        <div key={id} class={isFault ? "toast toast-fault" : "toast"} role={isFault ? "alert" : undefined}>
          <p>{text}</p>
          <IconButton name="Dismiss" icon={<X />} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
