/** A function that returns whether the component is still on the page: for answers that come late. */
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

export function useIsShown(): () => boolean {
  const isShown = useRef(true);
  useLayoutEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return useCallback(() => isShown.current, []);
}
