/** One value of a record as people read it where there is room: pictures and records by their names, texts whole. */
import { useMedia } from "../api/media.ts";
import type { Field, Model } from "../api/models.ts";
import { titleOf, useRecord } from "../api/records.ts";
import { count, dateTime } from "../lib/format.ts";
import { Thumb } from "../media/thumb.tsx";
import { Cell } from "./cell.tsx";
import "./value.css";

/** Each of them is read by itself. */
const NAMED_MAX = 20;
const THUMB_PIXELS = 40;

interface ValueProps {
  field: Field;
  value: unknown;
  /** All models: of a relation's target, its title is known by its model. */
  models: readonly Model[];
}

function NamedMedia({ id }: { id: string }) {
  const { data, error } = useMedia(id);
  if (error) return <Gone id={id} />;
  return (
    <span class="cell-picture">
      {data && <Thumb media={data} width={THUMB_PIXELS} />}
      <span>{data ? data.filename : "…"}</span>
    </span>
  );
}

function NamedRecord({ id, target }: { id: string; target: Model }) {
  const { data, error } = useRecord(target, id);
  if (error) return <Gone id={id} />;
  return <span>{data ? titleOf(target, data) : "…"}</span>;
}

/** It may be in the trash; its id says which it was. */
const Gone = ({ id }: { id: string }) => (
  <span title="It is not there any more.">
    <code>{id}</code>
  </span>
);

function References({
  field,
  ids,
  models,
}: {
  field: Field;
  ids: readonly string[];
  models: ValueProps["models"];
}) {
  const target = models.find(({ typeModel, name }) => typeModel === "collections" && name === field.to);
  return (
    <span class="value-references">
      {ids.slice(0, NAMED_MAX).map((id) => {
        if (field.type === "media") return <NamedMedia key={id} id={id} />;
        return target ? <NamedRecord key={id} id={id} target={target} /> : <Gone key={id} id={id} />;
      })}
      {ids.length > NAMED_MAX && <span>and {count(ids.length - NAMED_MAX)} more</span>}
    </span>
  );
}

export function Value({ field, value, models }: ValueProps) {
  const { type } = field;
  const ids = (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === "string",
  );
  if ((type === "media" || type === "relation") && ids.length > 0)
    return <References field={field} ids={ids} models={models} />;
  if (type === "datetime" && typeof value === "string")
    return (
      <time class="numbers" dateTime={value}>
        {dateTime(value)}
      </time>
    );
  if (typeof value === "string" && value !== "" && (type === "string" || type === "text"))
    return <span class="value-text">{value}</span>;
  if (type === "json" && value !== null && value !== undefined)
    return <pre class="value-json mono">{JSON.stringify(value, null, 2)}</pre>;
  return <Cell field={field} value={value} models={models} />;
}
