/** The filters of a table of records, one line each. */
import { Filter as FilterIcon, X } from "lucide-preact";
import { factsOf, operatorsOf } from "../api/field-types.ts";
import { labelOf, type Field, type Model } from "../api/models.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { columnsOf, type ViewFilter } from "./view.ts";

interface FiltersProps {
  model: Model;
  filters: readonly ViewFilter[];
  onChange: (filters: ViewFilter[]) => void;
}

/** Returns the values to choose from, if the filter's values can be listed. */
function choicesOf(field: Field, operator: string): [value: string, words: string][] | null {
  if (operator === "null")
    return [
      ["true", "yes"],
      ["false", "no"],
    ];
  return (
    factsOf(field)
      .choicesOf(field)
      ?.map(([words, value]) => [String(value), words]) ?? null
  );
}

function Value({
  field,
  filter,
  onChange,
}: {
  field: Field;
  filter: ViewFilter;
  onChange: (value: string) => void;
}) {
  const choices = choicesOf(field, filter.operator);
  const name = `Value of ${labelOf(field)}`;
  if (!choices) {
    return (
      <input
        class="input"
        aria-label={name}
        type={factsOf(field).filterInput}
        step="any"
        value={filter.value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <select
      class="select"
      aria-label={name}
      value={filter.value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {choices.every(([value]) => value !== filter.value) && <option value={filter.value} />}
      {choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Returns a new filter on a field. */
function startOf(field: Field): ViewFilter {
  const operator = operatorsOf(field)[0]?.[0] ?? "null";
  return { field: field.name, operator, value: choicesOf(field, operator)?.[0]?.[0] ?? "" };
}

export function FilterRows({ model, filters, onChange }: FiltersProps) {
  const fields = columnsOf(model);
  if (filters.length === 0) return null;
  const change = (at: number, to: ViewFilter): void =>
    onChange(filters.map((filter, index) => (index === at ? to : filter)));
  return (
    <ul class="filters" aria-label="Filters">
      {filters.map((filter, at) => {
        const field = fields.find(({ name }) => name === filter.field);
        if (!field) return null;
        return (
          <li key={at} class="filter">
            <select
              class="select"
              aria-label="Field"
              value={filter.field}
              onChange={(event) => {
                const next = fields.find(({ name }) => name === event.currentTarget.value);
                if (next) change(at, startOf(next));
              }}
            >
              {fields.map((one) => (
                <option key={one.name} value={one.name}>
                  {labelOf(one)}
                </option>
              ))}
            </select>
            <select
              class="select"
              aria-label="Condition"
              value={filter.operator}
              onChange={({ currentTarget: { value: operator } }) => {
                const choices = choicesOf(field, operator);
                const value = choices
                  ? (choices[0]?.[0] ?? "")
                  : filter.operator === "null"
                    ? ""
                    : filter.value;
                change(at, { ...filter, operator, value });
              }}
            >
              {operatorsOf(field).map(([operator, words]) => (
                <option key={operator} value={operator}>
                  {words}
                </option>
              ))}
            </select>
            <Value field={field} filter={filter} onChange={(value) => change(at, { ...filter, value })} />
            <IconButton
              name="Remove this filter"
              icon={<X />}
              onClick={() => onChange(filters.filter((_, index) => index !== at))}
            />
          </li>
        );
      })}
    </ul>
  );
}

export function AddFilter({ model, filters, onChange }: FiltersProps) {
  const [first] = columnsOf(model);
  return (
    <Button icon={<FilterIcon />} onClick={() => first && onChange([...filters, startOf(first)])}>
      Filter
    </Button>
  );
}
