/** A moment, which is written and read in the reader's time zone. */
import { dateTime, day } from "../lib/format.ts";
import { isoOf, localOf } from "../lib/local-time.ts";
import { DatetimeDefault } from "./defaults.tsx";
import { labelled, type FieldControls } from "./field-control.tsx";

export const DATETIME: FieldControls = {
  Control: labelled(({ value, mayChange, onChange, control }) => (
    <input
      {...control}
      class="input record-short"
      type="datetime-local"
      readOnly={!mayChange}
      value={localOf(value)}
      onChange={(event) => onChange(isoOf(event.currentTarget.value))}
    />
  )),
  Cell: ({ value }) =>
    typeof value === "string" ? (
      <time class="numbers" dateTime={value} title={dateTime(value)}>
        {day(value)}
      </time>
    ) : null,
  Value: ({ value }) =>
    typeof value === "string" ? (
      <time class="numbers" dateTime={value}>
        {dateTime(value)}
      </time>
    ) : null,
  compared: null,
  Default: DatetimeDefault,
};
