/** The records of a collection as a table. Its view is in the address, so that it can be shared and returned to. */
import { FileText, Plus } from "lucide-preact";
import { useMemo } from "preact/hooks";
import { useLocation, useParams, useSearch } from "wouter-preact";
import { nameOf, useRecordModel, type Model, type RecordModel } from "../api/models.ts";
import { isRanked } from "../api/record-search.ts";
import { useRecords } from "../api/records.ts";
import { useLocalesOf } from "../api/space.ts";
import { counted } from "../lib/format.ts";
import { languageName } from "../lib/languages.ts";
import { memo } from "../lib/memo.tsx";
import { useLatest } from "../lib/use-latest.ts";
import { rowsIn, useViewport } from "../lib/use-viewport.ts";
import { useMay, useSession } from "../session/context.tsx";
import { BackLink } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { SearchBox } from "../ui/lists/search.tsx";
import { useSelection } from "../ui/lists/selection.tsx";
import { ColumnChooser } from "./columns.tsx";
import { AddFilter, FilterRows } from "./filters.tsx";
import { SelectedRecords } from "./selected.tsx";
import { RecordTable, ROW_PIXELS } from "./table.tsx";
import { columnsOf, queryOf, readView, writeView, type View } from "./view.ts";
import "./content.css";

function Back() {
  const { space } = useSession();
  return <BackLink to={`/${space}/content`} />;
}

interface WaysProps {
  model: RecordModel;
  view: View;
  onChange: (to: Partial<View>) => void;
}

/** The controls that narrow the table. Scrolling does not draw them again. */
const Ways = memo(function Ways({ model, view, onChange }: WaysProps) {
  const { search, filters, columns, locale } = view;
  const locales = useLocalesOf(model) ?? [];
  return (
    <>
      <div class="table-ways">
        <SearchBox name="Search records" value={search} onChange={(to) => onChange({ search: to })} />
        <AddFilter model={model} filters={filters} onChange={(to) => onChange({ filters: to })} />
        {locales.length > 1 && (
          <select
            class="select table-locale"
            aria-label="Language"
            value={locale || locales[0]?.code}
            onChange={({ currentTarget: { value } }) =>
              onChange({ locale: value === locales[0]?.code ? "" : value })
            }
          >
            {locales.map(({ code }) => (
              <option key={code} value={code}>
                {languageName(code)}
              </option>
            ))}
          </select>
        )}
        <ColumnChooser model={model} columns={columns} onChange={(to) => onChange({ columns: to })} />
      </div>
      <FilterRows model={model} filters={filters} onChange={(to) => onChange({ filters: to })} />
    </>
  );
});

function Records({ model, models }: { model: RecordModel; models: readonly Model[] }) {
  const { space } = useSession();
  const [location, navigate] = useLocation();
  const search = useSearch();
  const mayWrite = useMay("write");
  const view = useMemo(() => readView(model, search), [model, search]);
  const change = useLatest((to: Partial<View>): void => {
    const query = writeView(model, { ...view, ...to });
    navigate(query === "" ? location : `${location}?${query}`, { replace: true });
  });
  const [ref, viewport] = useViewport<HTMLDivElement>();
  const asked = useMemo(() => queryOf(model, view), [model, view]);
  const rowPixels = Math.round(ROW_PIXELS * viewport.scale);
  const list = useRecords(model, asked, ({ length }) => rowsIn(viewport, length, rowPixels));
  const rows = rowsIn(viewport, list.traces.length, rowPixels);
  const selection = useSelection();
  const columns = useMemo(
    () => columnsOf(model).filter(({ name }) => view.columns.includes(name)),
    [model, view],
  );
  const isNarrowed = view.search !== "" || view.filters.length > 0;
  const isEmpty = !list.isFirstRead && list.traces.length === 0 && !list.error;
  const create = mayWrite && (
    <Button
      kind="solid"
      icon={<Plus />}
      onClick={() => navigate(`/${space}/content/collections/${model.name}/new`)}
    >
      New record
    </Button>
  );
  const { total } = list;
  return (
    <Page
      title={nameOf(model)}
      above={<Back />}
      aside={total ? `${counted(total.count, "record")}${total.isExact ? "" : " or more"}` : undefined}
      actions={create}
    >
      <Ways model={model} view={view} onChange={change} />
      {list.error && <Fault error={list.error} onRetry={list.retry} />}
      {isEmpty &&
        (isNarrowed ? (
          <Empty
            title="Nothing fits"
            action={<Button onClick={() => change({ search: "", filters: [] })}>Show all</Button>}
          >
            No record fulfils what you look for.
          </Empty>
        ) : (
          <Empty title="No records yet" picture={<FileText />}>
            {mayWrite ? "Make the first one." : "A key with the role write can make some."}
          </Empty>
        ))}
      {list.isFirstRead && !list.error && <Skeleton lines={8} />}
      <div class={list.traces.length > 0 ? "table-frame" : undefined}>
        {/* Measured where the rows are: the head above them is as high as one of them, or less. */}
        <div ref={ref}>
          {list.traces.length > 0 && (
            <RecordTable
              model={model}
              models={models}
              columns={columns}
              list={list}
              rows={rows}
              rowPixels={rowPixels}
              selection={mayWrite ? selection : null}
              sort={isRanked(model, view.search) ? "" : view.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </div>
      </div>
      <SelectedRecords model={model} selection={selection} />
    </Page>
  );
}

export function RecordsPage() {
  const params = useParams<{ model: string }>();
  const { model, models, error, refetch } = useRecordModel("collections", params.model);
  if (model && models) return <Records key={model.name} model={model} models={models} />;
  return (
    <Page title={model === null ? "Not here" : params.model} above={<Back />}>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {model === null && <Empty title="There is no such model">It may have been removed.</Empty>}
      {model === undefined && !error && <Skeleton lines={6} />}
    </Page>
  );
}
