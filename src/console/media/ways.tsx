/** The filters and the order of the wall. They are in the address, which can be sent on and come back to. */
import { useLocation, useSearch } from "wouter-preact";
import { FORMATS, MASTER_FORMATS } from "../../image/formats/registry.ts";
import type { MediaAsked } from "../api/media.ts";
import { formatName } from "../lib/format.ts";
import { SearchBox } from "../ui/lists/search.tsx";

const KINDS: readonly string[] = MASTER_FORMATS.map((format) => FORMATS[format].mime);
const ORDERS: readonly (readonly [sort: string, words: string])[] = [
  ["", "Newest first"],
  ["createdAt", "Oldest first"],
  ["filename", "By name"],
  ["-width", "Widest first"],
];

/** Returns the filters of the address, and the way to ask for others. */
export function useAsked(): [Required<MediaAsked>, (to: MediaAsked) => void] {
  const query = new URLSearchParams(useSearch());
  const [location, navigate] = useLocation();
  const [mime, sort] = [query.get("kind") ?? "", query.get("sort") ?? ""];
  const asked = {
    search: query.get("q") ?? "",
    mime: KINDS.includes(mime) ? mime : "",
    sort: ORDERS.some(([known]) => known === sort) ? sort : "",
  };
  const change = (to: MediaAsked): void => {
    const { search, mime: kind, sort: order } = { ...asked, ...to };
    const said = Object.entries({ q: search, kind, sort: order }).filter(([, value]) => value !== "");
    const text = new URLSearchParams(said).toString();
    navigate(text === "" ? location : `${location}?${text}`, { replace: true });
  };
  return [asked, change];
}

export function MediaWays({
  asked,
  onChange,
}: {
  asked: Required<MediaAsked>;
  onChange: (to: MediaAsked) => void;
}) {
  return (
    <div class="media-ways">
      <SearchBox name="Search pictures" value={asked.search} onChange={(search) => onChange({ search })} />
      <select
        class="select"
        aria-label="Kind"
        value={asked.mime}
        onChange={(event) => onChange({ mime: event.currentTarget.value })}
      >
        <option value="">All kinds</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {formatName(kind)}
          </option>
        ))}
      </select>
      <select
        class="select"
        aria-label="Order"
        value={asked.sort}
        onChange={(event) => onChange({ sort: event.currentTarget.value })}
      >
        {ORDERS.map(([sort, words]) => (
          <option key={sort} value={sort}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
