/** A search that looks for what is typed once the hand rests. */
import { Search } from "lucide-preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { useLatest } from "../../lib/use-latest.ts";
import "./search.css";

const REST_MS = 300;

export function SearchBox({
  name,
  value,
  onChange,
}: {
  name: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const apply = useLatest(onChange);
  // At once: a letter that is typed after the drawing would be lost.
  useLayoutEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => apply(typed), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, value, apply]);
  return (
    <div class="search">
      <Search aria-hidden="true" />
      <input
        class="input"
        type="search"
        aria-label={name}
        placeholder="Search"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Not a form's: one that stands around it would be sent.
          event.preventDefault();
          apply(typed);
        }}
      />
    </div>
  );
}
