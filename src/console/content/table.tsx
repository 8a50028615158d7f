/**
 * Records as a table of which only the rows on screen are drawn. The page scrolls, not the table, so that a phone has
 * one thing to scroll; wide tables scroll sideways inside themselves.
 */
import { ArrowDown, ArrowUp } from "lucide-preact";
import { Link } from "wouter-preact";
import type { List } from "../api/list.ts";
import { labelOf, type Field, type Model } from "../api/models.ts";
import { titleOf, type RecordView } from "../api/records.ts";
import { memo } from "../lib/memo.tsx";
import { useSettled } from "../lib/pace.ts";
import { useSession } from "../session/context.tsx";
import type { Selection } from "../ui/lists/selection.tsx";
import { Cell } from "../field-controls/shown.tsx";
import { Statuses } from "./status.tsx";
import { canSort, titleFieldOf } from "./view.ts";
import "./table.css";

/** The height of a row in pixels if text has its usual size. */
export const ROW_PIXELS = 48;

interface TableProps {
  model: Model;
  models: readonly Model[];
  columns: readonly Field[];
  list: List<RecordView>;
  rows: { first: number; last: number };
  rowPixels: number;
  /** Null if the reader has no action on selected records. */
  selection: Selection | null;
  sort: string;
  onSort: (sort: string) => void;
}

function Heading({
  field,
  title,
  sort,
  onSort,
}: { field: Field | null; title: string } & Pick<TableProps, "sort" | "onSort">) {
  if (!field || !canSort(field)) return <div role="columnheader">{title}</div>;
  const { name } = field;
  const isUp = sort === name;
  const isDown = sort === `-${name}`;
  return (
    <div role="columnheader" aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}>
      <button type="button" class="table-sort" onClick={() => onSort(isUp ? `-${name}` : name)}>
        {title}
        {isUp && <ArrowUp aria-hidden="true" />}
        {isDown && <ArrowDown aria-hidden="true" />}
      </button>
    </div>
  );
}

interface RowProps extends Pick<TableProps, "model" | "models" | "columns" | "rowPixels"> {
  index: number;
  /** Undefined while its page is read. */
  record: RecordView | undefined;
  /** The address of the list of records. */
  base: string;
  isSelected: boolean;
  onSelect: Selection["toggle"] | null;
}

const Row = memo(function Row({
  index,
  record,
  model,
  models,
  columns,
  rowPixels,
  base,
  isSelected,
  onSelect,
}: RowProps) {
  const title = record && titleOf(model, record);
  // During fast scrolling a row shows only its title.
  const isSettled = useSettled();
  return (
    <div
      class={isSelected ? "table-row table-row-selected" : "table-row"}
      role="row"
      aria-rowindex={index + 2}
      style={{ top: `${index * rowPixels}px` }}
    >
      {onSelect && (
        <div role="cell" class="table-box">
          {isSettled && record && title !== undefined && (
            <input
              type="checkbox"
              aria-label={`Select ${title}`}
              checked={isSelected}
              onClick={() => onSelect(record.id, { name: title, version: record.version })}
            />
          )}
        </div>
      )}
      <div role="cell" class="table-title">
        {record && (
          <>
            <Link href={`${base}/${record.id}`}>{title}</Link> {model.drafts && <Statuses record={record} />}
          </>
        )}
      </div>
      {isSettled &&
        columns.map((field) => (
          <div role="cell" key={field.name}>
            {record && <Cell field={field} value={record[field.name]} models={models} />}
          </div>
        ))}
    </div>
  );
});

export function RecordTable({
  model,
  models,
  columns,
  list,
  rows,
  rowPixels,
  selection,
  sort,
  onSort,
}: TableProps) {
  const { space } = useSession();
  const base = `/${space}/content/${model.typeModel}/${model.name}`;
  const titleField = titleFieldOf(model);
  const indices = Array.from({ length: Math.max(0, rows.last - rows.first) }, (_, at) => rows.first + at);
  const count = list.traces.length;
  return (
    <div
      class={selection ? "table table-selectable" : "table"}
      role="table"
      aria-label="Records"
      aria-rowcount={list.hasMore ? -1 : count + 1}
      style={{ "--columns": columns.length, "--row": `${rowPixels}px` }}
    >
      <div class="table-head" role="rowgroup">
        <div class="table-row" role="row" aria-rowindex={1}>
          {selection && (
            <div role="columnheader" class="table-box">
              <span class="visually-hidden">Selected</span>
            </div>
          )}
          <Heading
            field={titleField}
            title={titleField ? labelOf(titleField) : "Id"}
            sort={sort}
            onSort={onSort}
          />
          {columns.map((field) => (
            <Heading key={field.name} field={field} title={labelOf(field)} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div class="table-body" role="rowgroup" style={{ height: `${count * rowPixels}px` }}>
        {indices.map((index) => {
          const record = list.item(index);
          return (
            <Row
              key={index}
              index={index}
              record={record}
              model={model}
              models={models}
              columns={columns}
              rowPixels={rowPixels}
              base={base}
              isSelected={record !== undefined && selection?.items.has(record.id) === true}
              onSelect={selection ? selection.toggle : null}
            />
          );
        })}
      </div>
    </div>
  );
}
