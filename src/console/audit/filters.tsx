/** The filters of the audit. */
import { X } from "lucide-preact";
import type { AuditAction, AuditFilters, AuditLine } from "../api/audit.ts";
import { useKeys } from "../api/keys.ts";
import { useMembers } from "../api/members.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { actionWords } from "./words.ts";

export const NO_FILTERS: AuditFilters = { actor: "", action: "", target: "", from: "", to: "" };

/** All actions, as the filter offers them. An action of the API that is missing here does not compile. */
const OFFERED: Record<AuditAction, true> = {
  "record.created": true,
  "record.updated": true,
  "record.published": true,
  "record.unpublished": true,
  "record.scheduled": true,
  "record.trashed": true,
  "record.restored": true,
  "record.removed": true,
  "record.refused": true,
  "media.created": true,
  "media.replaced": true,
  "media.updated": true,
  "media.trashed": true,
  "media.restored": true,
  "media.removed": true,
  "media.refused": true,
  "remote.removed": true,
  "remote.refused": true,
  "upload.created": true,
  "upload.removed": true,
  "upload.refused": true,
  "model.created": true,
  "model.scheduled": true,
  "model.changed": true,
  "model.withdrawn": true,
  "model.removed": true,
  "model.refused": true,
  "key.created": true,
  "key.changed": true,
  "key.removed": true,
  "key.refused": true,
  "settings.changed": true,
  "settings.refused": true,
  "space.created": true,
  "space.renamed": true,
  "space.changed": true,
  "space.moving": true,
  "space.moved": true,
  "space.stayed": true,
  "space.removed": true,
  "space.refused": true,
  "trash.refused": true,
  "member.created": true,
  "member.changed": true,
  "member.removed": true,
  "member.refused": true,
  "token.created": true,
  "session.created": true,
  "session.ended": true,
  "session.refused": true,
  "webhook.created": true,
  "webhook.changed": true,
  "webhook.removed": true,
  "webhook.disabled": true,
  "webhook.refused": true,
  "export.created": true,
  "export.refused": true,
  "import.created": true,
  "import.refused": true,
  "backup.created": true,
  "backup.restored": true,
  "backup.removed": true,
  "backup.refused": true,
  "audit.refused": true,
};

/** The names of the keys and members that the space has, and of an actor that the reader chose, by id. */
export type Names = ReadonlyMap<string, string>;

/** @param chosen an actor of a line, whose key or member may be gone */
export function useNames(chosen: AuditLine["actor"] | null): Names {
  const { data: keys = [] } = useKeys();
  const { data: members = [] } = useMembers();
  return new Map([
    ...(chosen && !ALWAYS.includes(chosen.id) ? [[chosen.id, chosen.name] as const] : []),
    ...keys.map(({ id, name }) => [id, name] as const),
    ...members.map(({ id, email }) => [id, email] as const),
  ]);
}

/** The actors that the filter always offers. */
const ALWAYS: readonly string[] = ["root", "system"];

interface FiltersProps {
  names: Names;
  /** The words of the target that the reader chose. */
  target: string | undefined;
  filters: AuditFilters;
  onChange: (filters: AuditFilters) => void;
}

export function Filters({ names, target, filters, onChange }: FiltersProps) {
  const set = (change: Partial<AuditFilters>): void => onChange({ ...filters, ...change });
  const isKnown = ["", ...ALWAYS, ...names.keys()].includes(filters.actor);
  return (
    <form class="audit-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Field label="Who">
        {(control) => (
          <select
            class="select"
            {...control}
            value={filters.actor}
            onChange={(event) => set({ actor: event.currentTarget.value })}
          >
            <option value="">Everybody</option>
            <option value="root">root</option>
            <option value="system">The service itself</option>
            {[...names].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {!isKnown && <option value={filters.actor}>{filters.actor}</option>}
          </select>
        )}
      </Field>
      <Field label="What">
        {(control) => (
          <select
            class="select"
            {...control}
            value={filters.action}
            onChange={(event) => set({ action: event.currentTarget.value as AuditFilters["action"] })}
          >
            <option value="">Everything</option>
            {(Object.keys(OFFERED) as AuditAction[]).map((action) => (
              <option key={action} value={action}>
                {actionWords(action)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="From">
        {(control) => (
          <input
            class="input"
            {...control}
            type="date"
            value={filters.from}
            onChange={(event) => set({ from: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="To">
        {(control) => (
          <input
            class="input"
            {...control}
            type="date"
            value={filters.to}
            onChange={(event) => set({ to: event.currentTarget.value })}
          />
        )}
      </Field>
      {filters.target !== "" && (
        <Button small icon={<X />} title={filters.target} onClick={() => set({ target: "" })}>
          <span class="audit-only">Only {target}</span>
        </Button>
      )}
    </form>
  );
}
