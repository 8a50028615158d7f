/**
 * Which part of a tall element is on screen, in CSS pixels from its top, with half a screen of margin: the part that a
 * list of thousands draws. Changes in steps, so that most scroll events draw nothing.
 */
import { useLayoutEffect, useRef, useState, type MutableRef } from "preact/hooks";

export interface Viewport {
  top: number;
  bottom: number;
  /** The element's width. */
  width: number;
  /**
   * How much larger than usual text is here: on a screen of 4K (styles/tokens.css), or as the reader has set the
   * browser. Parts that are placed by pixels grow with it.
   */
  scale: number;
}

const STEP_PIXELS = 200;
/** A rem, usually. */
const REM_PIXELS = 15;
const NOTHING: Viewport = { top: 0, bottom: 0, width: 0, scale: 1 };

const scaleNow = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) / REM_PIXELS;

/** Returns which rows of one height are on screen. Below the last there is more to read. */
export const rowsIn = (
  { top, bottom }: Viewport,
  count: number,
  rowPixels: number,
): { first: number; last: number } => ({
  first: Math.min(Math.floor(top / rowPixels), Math.max(0, count - 1)),
  last: Math.min(Math.ceil(bottom / rowPixels), count),
});

function measure(element: HTMLElement, scale: number): Viewport {
  const { top, width } = element.getBoundingClientRect();
  const margin = window.innerHeight / 2;
  const first = Math.max(0, -top - margin);
  const last = Math.max(0, -top + window.innerHeight + margin);
  return {
    top: Math.floor(first / STEP_PIXELS) * STEP_PIXELS,
    bottom: Math.ceil(last / STEP_PIXELS) * STEP_PIXELS,
    width: Math.floor(width),
    scale,
  };
}

export function useViewport<Element extends HTMLElement>(): [MutableRef<Element | null>, Viewport] {
  const ref = useRef<Element>(null);
  const [viewport, setViewport] = useState(NOTHING);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    let scale = NOTHING.scale;
    const update = (): void => {
      const now = measure(element, scale);
      const keys = ["top", "bottom", "width", "scale"] as const;
      setViewport((was) => (keys.every((key) => was[key] === now[key]) ? was : now));
    };
    const resized = (): void => {
      scale = scaleNow();
      update();
    };
    // It tells of the size first when the page is laid out, before it is painted. To measure here would lay the page out
    // once more, within the task that draws it.
    const observer = new ResizeObserver(resized);
    observer.observe(element);
    window.addEventListener("scroll", update, { passive: true });
    window.addEventListener("resize", resized);
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", update);
      window.removeEventListener("resize", resized);
    };
  }, []);
  return [ref, viewport];
}
