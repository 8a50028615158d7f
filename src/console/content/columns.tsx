/** The chooser of the fields that a table shows beside the title. */
import { Columns3 } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import { labelOf, type Model } from "../api/models.ts";
import { buttonClass } from "../ui/button.tsx";
import { Check } from "../ui/field.tsx";
import { columnsOf, titleFieldOf } from "./view.ts";

interface ColumnsProps {
  model: Model;
  columns: readonly string[];
  onChange: (columns: string[]) => void;
}

export function ColumnChooser({ model, columns, onChange }: ColumnsProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const details = ref.current;
      if (details && !details.contains(event.target as Node)) details.open = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("focusin", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("focusin", close);
    };
  }, []);
  const choices = columnsOf(model).filter(({ name }) => name !== titleFieldOf(model)?.name);
  const toggle = (name: string, isShown: boolean): void =>
    // Columns stand in the model's order, whenever they were chosen.
    onChange(
      choices.map((field) => field.name).filter((one) => (one === name ? isShown : columns.includes(one))),
    );
  return (
    <details
      ref={ref}
      class="columns"
      onKeyDown={(event) => {
        if (event.key === "Escape" && ref.current) ref.current.open = false;
      }}
    >
      <summary class={buttonClass("plain")}>
        <Columns3 aria-hidden="true" />
        Columns
      </summary>
      <div class="columns-sheet">
        {choices.map((field) => (
          <Check
            key={field.name}
            label={labelOf(field)}
            checked={columns.includes(field.name)}
            onChange={(isShown) => toggle(field.name, isShown)}
          />
        ))}
      </div>
    </details>
  );
}
