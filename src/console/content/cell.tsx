/** One value of a record as a table shows it: short, on one line. */
import type { Media } from "../api/media.ts";
import type { Field, Model } from "../api/models.ts";
import { titleOf, type RecordView } from "../api/records.ts";
import { count, counted, dateTime, day, untitled } from "../lib/format.ts";
import { Thumb } from "../media/thumb.tsx";
import "./cell.css";

const THUMB_PIXELS = 40;
const SHOWN_CHARACTERS = 160;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const short = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;

interface CellProps {
  field: Field;
  value: unknown;
  /** All models: of a relation's target, its title is known by its model. */
  models: readonly Model[];
}

function Reference({ field, value, models }: CellProps) {
  if (Array.isArray(value))
    return <>{counted(value.length, field.type === "media" ? "picture" : "record")}</>;
  if (!isObject(value)) return <code>{String(value)}</code>;
  if (field.type === "media") {
    const media = value as unknown as Media;
    return (
      <span class="cell-picture">
        <Thumb media={media} width={THUMB_PIXELS} />
        <span>{media.filename}</span>
      </span>
    );
  }
  const target = models.find(({ typeModel, name }) => typeModel === "collections" && name === field.to);
  const record = value as unknown as RecordView;
  return <>{target ? titleOf(target, record) : untitled(record.id)}</>;
}

export function Cell({ field, value, models }: CellProps) {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0))
    return (
      <span class="cell-empty">
        <span aria-hidden="true">–</span>
        <span class="visually-hidden">empty</span>
      </span>
    );
  const text = typeof value === "string" ? value : JSON.stringify(value);
  switch (field.type) {
    case "media":
    case "relation":
      return <Reference field={field} value={value} models={models} />;
    case "boolean":
      return <>{value === true ? "Yes" : "No"}</>;
    case "number":
      return <span class="numbers">{count(Number(value))}</span>;
    case "datetime":
      return typeof value === "string" ? (
        <time class="numbers" dateTime={value} title={dateTime(value)}>
          {day(value)}
        </time>
      ) : null;
    case "enum":
      return <span class="badge">{text}</span>;
    case "json":
      return <code>{short(text)}</code>;
    default:
      return <>{short(text)}</>;
  }
}
