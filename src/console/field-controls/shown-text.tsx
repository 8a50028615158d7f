/** Values that are shown as text. */
import type { ShownProps } from "./field-control.tsx";

const SHOWN_CHARACTERS = 160;

/** Cuts a text for a line of a table. */
export const short = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;

/** Returns a value as text; a value that is no text as JSON. */
export const written = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

export const TextCell = ({ value }: ShownProps) => <>{short(written(value))}</>;

/** Shows that there is no value. */
export const NoValue = () => (
  <span class="cell-empty">
    <span aria-hidden="true">–</span>
    <span class="visually-hidden">empty</span>
  </span>
);

export const WholeText = ({ value }: ShownProps) =>
  value === "" ? <NoValue /> : <span class="value-text">{written(value)}</span>;

/** Compares versions of a text word by word. */
export const COMPARED_AS_TEXT = {
  textOf: (value: unknown): string => (typeof value === "string" ? value : ""),
  isCode: false,
};
