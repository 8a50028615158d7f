/** The differences between a version and the one before it, field by field. */
import type { Model, RecordModel } from "../api/models.ts";
import { ALL_LOCALES, type RecordView } from "../api/records.ts";
import { slotLabel, slotsOf, storedAt, type Slot } from "../api/slots.ts";
import { useLocalesOf, type Locale } from "../api/space.ts";
import { useVersion } from "../api/versions.ts";
import { FIELD_CONTROLS } from "../field-controls/registry.ts";
import { Value } from "../field-controls/shown.tsx";
import { diffWords } from "../lib/diff.ts";
import { Card, Empty, Fault, Skeleton } from "../ui/page.tsx";

interface DifferencesProps {
  model: RecordModel;
  models: readonly Model[];
  id: string;
  version: number;
  /** The latest version before it that is kept; null for the first. */
  before: number | null;
}

const ELEMENTS = { same: "span", added: "ins", removed: "del" } as const;

function TextDifference({ before, after, isCode }: { before: string; after: string; isCode: boolean }) {
  return (
    <p class={isCode ? "difference-text mono" : "difference-text"}>
      {diffWords(before, after).map(({ kind, text }, at) => {
        const Element = ELEMENTS[kind];
        return <Element key={at}>{text}</Element>;
      })}
    </p>
  );
}

interface DifferenceProps {
  slot: Slot;
  /** Undefined if there is no version before. */
  was: unknown;
  is: unknown;
  models: readonly Model[];
}

function Difference({ slot, was, is, models }: DifferenceProps) {
  const { field } = slot;
  const { compared } = FIELD_CONTROLS[field.type];
  return (
    <div class="difference">
      <dt>{slotLabel(slot)}</dt>
      <dd>
        {compared ? (
          <TextDifference
            before={compared.textOf(was ?? null)}
            after={compared.textOf(is)}
            isCode={compared.isCode}
          />
        ) : (
          <span class="difference-values">
            {was !== undefined && (
              <del>
                <Value field={field} value={was} models={models} />
              </del>
            )}
            <ins>
              <Value field={field} value={is} models={models} />
            </ins>
          </span>
        )}
      </dd>
    </div>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

function List({
  model,
  models,
  was,
  is,
  locales,
}: {
  model: RecordModel;
  models: readonly Model[];
  was: RecordView | null;
  is: RecordView;
  locales: readonly Locale[];
}) {
  const changed = slotsOf(model, locales).filter((slot) =>
    was
      ? JSON.stringify(storedAt(slot, was)) !== JSON.stringify(storedAt(slot, is))
      : !isEmpty(storedAt(slot, is)),
  );
  if (changed.length === 0) return <Empty title="It changed no field" />;
  return (
    <dl class="differences">
      {changed.map((slot) => (
        <Difference
          key={slot.key}
          slot={slot}
          was={was ? (storedAt(slot, was) ?? null) : undefined}
          is={storedAt(slot, is)}
          models={models}
        />
      ))}
    </dl>
  );
}

export function Differences({ model, models, id, version, before }: DifferencesProps) {
  const locales = useLocalesOf(model);
  const asked = locales !== undefined && locales.length > 0 ? ALL_LOCALES : null;
  const after = useVersion(model, id, locales ? version : null, asked);
  const former = useVersion(model, id, locales ? before : null, asked);
  const error = after.error ?? former.error;
  const title = before === null ? `Version ${version}` : `From version ${before} to ${version}`;
  return (
    <Card title={title}>
      {error && <Fault error={error} />}
      {!error && (!after.data || (before !== null && !former.data)) && <Skeleton />}
      {after.data && locales && (before === null || former.data) && (
        <List locales={locales} model={model} models={models} was={former.data ?? null} is={after.data} />
      )}
    </Card>
  );
}
