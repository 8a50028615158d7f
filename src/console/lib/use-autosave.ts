/** Saves by itself what is changed: when the hand rests, when the field is left, and when the page is. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useLatest } from "./use-latest.ts";

const REST_MS = 600;

export type SaveState = "idle" | "saving" | "saved" | "failed";

export interface Autosave<Value> {
  state: SaveState;
  /** Saves after a rest. */
  later: (value: Value) => void;
  /** Saves at once what waits. */
  now: () => void;
}

export function useAutosave<Value>(save: (value: Value) => Promise<unknown>): Autosave<Value> {
  const [state, setState] = useState<SaveState>("idle");
  const waiting = useRef<{ value: Value; timer: number } | null>(null);
  const run = useLatest(async (value: Value) => {
    setState("saving");
    try {
      await save(value);
      // A later change is on its way: it says how it ended.
      if (!waiting.current) setState("saved");
    } catch {
      setState("failed");
    }
  });
  const now = useCallback(() => {
    if (!waiting.current) return;
    const { value, timer } = waiting.current;
    clearTimeout(timer);
    waiting.current = null;
    void run(value);
  }, [run]);
  const later = useCallback(
    (value: Value) => {
      clearTimeout(waiting.current?.timer);
      setState("saving");
      waiting.current = { value, timer: window.setTimeout(now, REST_MS) };
    },
    [now],
  );
  useEffect(() => {
    window.addEventListener("pagehide", now);
    return () => {
      window.removeEventListener("pagehide", now);
      now();
    };
  }, [now]);
  return { state, later, now };
}
