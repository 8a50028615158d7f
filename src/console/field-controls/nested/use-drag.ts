/** Moves an item of a list by pointer: it follows the hand, a line shows its new place, and it takes it when let go. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useLatest } from "../../lib/use-latest.ts";

export interface Drag {
  /** The index of the item that is dragged. */
  from: number;
  /** The number of items that will stand before it. */
  to: number;
  /** How far it was dragged, in pixels. */
  by: number;
}

const EDGE_PIXELS = 72;
const SCROLL_PIXELS = 12;

/** @returns the drag, and what starts it on an item's handle */
export function useDrag(
  list: { current: HTMLElement | null },
  onMove: (from: number, to: number) => void,
): { drag: Drag | null; start: (event: PointerEvent, from: number) => void } {
  const [drag, setDrag] = useState<Drag | null>(null);
  const end = useRef<() => void>(() => undefined);
  const move = useLatest(onMove);
  useEffect(() => () => end.current(), []);
  const start = (event: PointerEvent, from: number): void => {
    if (event.button !== 0 || !list.current) return;
    const { pointerId } = event;
    const startY = event.clientY + window.scrollY;
    let last: Drag | null = null;
    const follow = ({ pointerId: id, clientY }: PointerEvent): void => {
      if (id !== pointerId || !list.current) return;
      if (clientY < EDGE_PIXELS) window.scrollBy(0, -SCROLL_PIXELS);
      else if (clientY > window.innerHeight - EDGE_PIXELS) window.scrollBy(0, SCROLL_PIXELS);
      const others = [...list.current.children].filter((_, at) => at !== from);
      const to = others.filter((item) => {
        const { top, height } = item.getBoundingClientRect();
        return top + height / 2 < clientY;
      }).length;
      last = { from, to, by: clientY + window.scrollY - startY };
      setDrag(last);
    };
    const stop = (): void => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", drop);
      window.removeEventListener("pointercancel", stop);
      setDrag(null);
    };
    const drop = ({ pointerId: id }: PointerEvent): void => {
      if (id !== pointerId) return;
      stop();
      if (last && last.to !== from) move(from, last.to);
    };
    end.current = stop;
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", drop);
    window.addEventListener("pointercancel", stop);
  };
  return { drag, start };
}
