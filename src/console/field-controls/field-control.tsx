/** The parts of a field type in the console. Each type states all of them in a file of its own. */
import type { ComponentChildren, FunctionComponent } from "preact";
import { allFaults, type Faults } from "../api/faults.ts";
import { labelOf, type Field as ModelField, type Model } from "../api/models.ts";
import { count } from "../lib/format.ts";
import { Field, type ControlProps } from "../ui/field.tsx";
import "./controls.css";

export interface ControlOf {
  field: ModelField;
  value: unknown;
  /** All models, for the titles of a relation's targets. */
  models: readonly Model[];
  mayChange: boolean;
  onChange: (value: unknown) => void;
}

/** Draws the control of any field. Fields that hold other fields are given it, since the registry knows it alone. */
export type InnerControl = FunctionComponent<Omit<FieldControlProps, "Inner">>;

export interface FieldControlProps extends ControlOf {
  /** The faults of the value under "", and those inside it under their paths from there. */
  faults: Faults;
  Inner: InnerControl;
}

/** A control inside its label. */
export interface InputProps extends FieldControlProps {
  control: ControlProps;
}

export interface ShownProps {
  field: ModelField;
  /** Not null. A cell does not get an empty text or an empty list either. */
  value: unknown;
  models: readonly Model[];
  /** Shows the value of any field where there is room. */
  Inner: FunctionComponent<Omit<ShownProps, "Inner">>;
}

export interface DefaultProps {
  field: ModelField;
  faults: string[];
  onChange: (value: unknown) => void;
}

export interface FieldControls {
  /** The labelled control of a record form. */
  Control: FunctionComponent<FieldControlProps>;
  /** A value in a table: short, on one line. */
  Cell: FunctionComponent<ShownProps>;
  /** A value where there is room: in the history, in a conflict, in the trash. */
  Value: FunctionComponent<ShownProps>;
  /** The text by which versions of a value are compared word by word; null if they stand side by side. */
  compared: { textOf: (value: unknown) => string; isCode: boolean } | null;
  /** The control for the default of a field in a model form; null for types without defaults. */
  Default: FunctionComponent<DefaultProps> | null;
}

/** Shows how much of its longest length a text takes. */
function Length({ field, value }: Pick<ControlOf, "field" | "value">): ComponentChildren {
  if (field.maxLength === undefined || typeof value !== "string") return null;
  return (
    <span class="numbers">
      {count(value.length)} of {count(field.maxLength)}
    </span>
  );
}

/** Gives an input the label, hint and faults of its field. */
export const labelled =
  (Input: FunctionComponent<InputProps>): FunctionComponent<FieldControlProps> =>
  (props) => {
    const { field, value, faults } = props;
    return (
      <Field
        label={labelOf(field)}
        hint={field.description}
        required={field.required}
        faults={allFaults(faults)}
        aside={<Length field={field} value={value} />}
      >
        {(control) => <Input {...props} control={control} />}
      </Field>
    );
  };

/** Returns a text or number as the text of an input. */
export const inputText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** Returns the value of an input's text: an empty text is no value. */
export const orNull = (text: string): string | null => (text === "" ? null : text);
