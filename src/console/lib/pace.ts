/**
 * Whether the page flies by. Parts that no reader can look at meanwhile, pictures above all, wait until it is slower: a
 * picture that is asked for and left behind costs a request, a decoding and most of a frame.
 */
import { useEffect, useState } from "preact/hooks";

const FAST_SCREENS_PER_SECOND = 2;
/** For so long nothing was fast. */
const REST_MS = 120;

let top = 0;
let time = 0;
let timer: number | null = null;
const waiting = new Set<() => void>();

function rest(): void {
  timer = null;
  const woken = [...waiting];
  waiting.clear();
  for (const wake of woken) wake();
}

function follow({ timeStamp }: Event): void {
  const screens = Math.abs(window.scrollY - top) / window.innerHeight;
  const seconds = (timeStamp - time) / 1000;
  top = window.scrollY;
  time = timeStamp;
  // A jump, as by the key End, stands still where it ends: its time counts from the last scroll.
  if (screens / seconds <= FAST_SCREENS_PER_SECOND) return;
  if (timer !== null) clearTimeout(timer);
  timer = window.setTimeout(rest, REST_MS);
}
window.addEventListener("scroll", follow, { passive: true });

/** @returns true once the page has been slow since this was first drawn */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(timer === null);
  useEffect(() => {
    if (isSettled) return;
    const wake = (): void => setSettled(true);
    if (timer === null) wake();
    else waiting.add(wake);
    return () => void waiting.delete(wake);
  }, [isSettled]);
  return isSettled;
}
