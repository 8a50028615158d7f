/**
 * Remembers what follows from a text or an object alone, so that an isolate computes it once. A page asks for the same few
 * sizes of many pictures, and a browser sends the same `Accept` with each request.
 */
import { REMEMBERED } from "./limits.ts";

/**
 * Returns a function that calls `valueOf` once for each text that it remembers. A very long text is not remembered, nor is
 * one for which `valueOf` throws, or whose value is not worth it. If there are too many texts, the oldest one is forgotten.
 * A use does not make it newer, because that would cost each hit two writes. Values are shared, so nothing may change them.
 */
export function remembered<Value extends object>(
  valueOf: (text: string) => Value,
  isWorthIt: (value: Value) => boolean = () => true,
): (text: string) => Readonly<Value> {
  const values = new Map<string, Value>();
  return (text) => {
    const known = values.get(text);
    if (known) return known;
    const value = valueOf(text);
    if (text.length > REMEMBERED.textMaxCharacters || !isWorthIt(value)) return value;
    if (values.size >= REMEMBERED.textsMax) {
      const oldest = values.keys().next();
      if (!oldest.done) values.delete(oldest.value);
    }
    values.set(text, value);
    return value;
  };
}

/** Returns a function that calls `valueOf` once for each object, which nothing may change. */
export function oncePerObject<Key extends object, Value extends object | string>(
  valueOf: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = valueOf(key);
    values.set(key, value);
    return value;
  };
}
