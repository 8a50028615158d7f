/**
 * Marks the document as `data-{name}` while a part is shown for which the messages above the page make room. The
 * selector `:root:has(…)` would say the same, but every row that a list draws would be matched against it.
 */
import { useLayoutEffect } from "preact/hooks";

export function useRootMark(name: "sticky" | "selecting", isOn: boolean): void {
  useLayoutEffect(() => {
    if (!isOn) return;
    const root = document.documentElement;
    root.setAttribute(`data-${name}`, "");
    return () => root.removeAttribute(`data-${name}`);
  }, [name, isOn]);
}
