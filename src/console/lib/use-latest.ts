/** A function whose identity never changes and that always calls the newest one it was given: for listeners and timers. */
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

export function useLatest<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
