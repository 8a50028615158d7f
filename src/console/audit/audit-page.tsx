/** The audit: the changes of the space with their actors, newest first, with filters and links to the targets. */
import { ListFilter, ScrollText } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useAudit, type AuditFilters, type AuditLine } from "../api/audit.ts";
import { rowsIn, useViewport } from "../lib/use-viewport.ts";
import { useMay, useSession } from "../session/context.tsx";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { Filters, NO_FILTERS, useNames, type Names } from "./filters.tsx";
import { actionWords, targetPath, targetWords } from "./words.ts";
import "../ui/lists/window-rows.css";
import "./audit.css";

/** The height of a line where text is of its usual size. */
const ROW_PIXELS = 64;

/** The target of a line, as the filter offers it. */
interface Target {
  id: string;
  words: string;
}

interface LineProps {
  names: Names;
  line: AuditLine;
  onTarget: (target: Target) => void;
  onActor: (actor: AuditLine["actor"]) => void;
}

function Line({ names, line, onTarget, onActor }: LineProps) {
  const { space } = useSession();
  const path = targetPath(line);
  const { id } = line.target;
  const words = names.get(id) ?? targetWords(line);
  const hint = words.endsWith(id) ? words : `${words} (${id})`;
  const actor = line.actor.kind === "system" ? "The service" : line.actor.name;
  return (
    <>
      <div class="window-row-words">
        <p class="audit-action">
          {actionWords(line.action)}
          {line.count !== undefined && line.count > 1 && <span class="badge">{line.count} times</span>}
        </p>
        <p class="field-hint audit-target">
          {path === null ? (
            <span title={hint}>{words}</span>
          ) : (
            <Link href={`/${space}/${path}`} title={hint}>
              {words}
            </Link>
          )}
        </p>
      </div>
      <div class="audit-who">
        <p>
          <button
            type="button"
            class="audit-actor"
            aria-label={`Only this actor: ${actor}`}
            title={`Only this actor: ${actor}`}
            onClick={() => onActor(line.actor)}
          >
            {actor}
          </button>
        </p>
        <p class="field-hint">
          <Ago time={line.at} />
        </p>
      </div>
      <Button
        small
        icon={<ListFilter />}
        aria-label={`Only this: ${words}`}
        title={`Only this: ${words}`}
        onClick={() => onTarget({ id, words })}
      >
        <span class="audit-only-this">Only this</span>
      </Button>
    </>
  );
}

interface LinesProps {
  names: Names;
  filters: AuditFilters;
  onTarget: (target: Target) => void;
  onActor: (actor: AuditLine["actor"]) => void;
}

function Lines({ filters, ...given }: LinesProps) {
  const [ref, viewport] = useViewport<HTMLUListElement>();
  const rowPixels = Math.round(ROW_PIXELS * viewport.scale);
  const list = useAudit(filters, ({ length }) => rowsIn(viewport, length, rowPixels));
  const count = list.traces.length;
  const rows = rowsIn(viewport, count, rowPixels);
  const indices = Array.from({ length: Math.max(0, rows.last - rows.first) }, (_, at) => rows.first + at);
  return (
    <>
      {list.error && <Fault error={list.error} onRetry={list.retry} />}
      {list.isFirstRead && !list.error && <Skeleton lines={6} />}
      {!list.isFirstRead && count === 0 && (
        <Empty title="No lines" picture={<ScrollText />}>
          Nothing that these filters ask for has happened in the last 365 days.
        </Empty>
      )}
      <ul
        ref={ref}
        class="audit window-rows"
        style={{ height: `${count * rowPixels}px`, "--row": `${rowPixels}px` }}
        aria-label="Changes"
      >
        {indices.map((index) => {
          const line = list.item(index);
          return (
            <li
              key={`row-${index}`}
              class="window-row"
              style={{ top: `${index * rowPixels}px` }}
              aria-posinset={index + 1}
              aria-setsize={list.hasMore ? -1 : count}
            >
              {line && <Line {...given} line={line} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Audit() {
  const [filters, setFilters] = useState(NO_FILTERS);
  const [actor, setActor] = useState<AuditLine["actor"] | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const names = useNames(actor);
  return (
    <Page title="Audit" narrow>
      <Filters names={names} target={target?.words} filters={filters} onChange={setFilters} />
      <Lines
        key={JSON.stringify(filters)}
        names={names}
        filters={filters}
        onTarget={(chosen) => {
          setTarget(chosen);
          setFilters({ ...filters, target: chosen.id });
        }}
        onActor={(chosen) => {
          setActor(chosen);
          setFilters({ ...filters, actor: chosen.id });
        }}
      />
    </Page>
  );
}

export function AuditPage() {
  const isAdmin = useMay("admin");
  if (!isAdmin) {
    return (
      <Page title="Audit" narrow>
        <Empty title="Not for this key" picture={<ScrollText />}>
          A key with the role admin reads the audit: each change, with its actor.
        </Empty>
      </Page>
    );
  }
  return <Audit />;
}
