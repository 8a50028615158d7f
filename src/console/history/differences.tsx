/** The differences between a version and the one before it, field by field. */
import { labelOf, type Field, type Model } from "../api/models.ts";
import type { RecordView } from "../api/records.ts";
import { useVersion } from "../api/versions.ts";
import { FIELD_CONTROLS } from "../field-controls/registry.ts";
import { Value } from "../field-controls/shown.tsx";
import { diffWords } from "../lib/diff.ts";
import { Card, Empty, Fault, Skeleton } from "../ui/page.tsx";

interface DifferencesProps {
  model: Model;
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
  field: Field;
  /** Undefined if there is no version before. */
  was: unknown;
  is: unknown;
  models: readonly Model[];
}

function Difference({ field, was, is, models }: DifferenceProps) {
  const { compared } = FIELD_CONTROLS[field.type];
  return (
    <div class="difference">
      <dt>{labelOf(field)}</dt>
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
}: {
  model: Model;
  models: readonly Model[];
  was: RecordView | null;
  is: RecordView;
}) {
  const changed = model.fields.filter(({ name }) =>
    was ? JSON.stringify(was[name]) !== JSON.stringify(is[name]) : !isEmpty(is[name]),
  );
  if (changed.length === 0) return <Empty title="It changed no field" />;
  return (
    <dl class="differences">
      {changed.map((field) => (
        <Difference
          key={field.name}
          field={field}
          was={was ? (was[field.name] ?? null) : undefined}
          is={is[field.name]}
          models={models}
        />
      ))}
    </dl>
  );
}

export function Differences({ model, models, id, version, before }: DifferencesProps) {
  const after = useVersion(model, id, version);
  const former = useVersion(model, id, before);
  const error = after.error ?? former.error;
  const title = before === null ? `Version ${version}` : `From version ${before} to ${version}`;
  return (
    <Card title={title}>
      {error && <Fault error={error} />}
      {!error && (!after.data || (before !== null && !former.data)) && <Skeleton />}
      {after.data && (before === null || former.data) && (
        <List model={model} models={models} was={former.data ?? null} is={after.data} />
      )}
    </Card>
  );
}
