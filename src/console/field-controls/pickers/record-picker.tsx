/** A dialog to choose records of a collection in. */
import { Check as CheckIcon } from "lucide-preact";
import { nameOf, type RecordModel } from "../../api/models.ts";
import { titleOf, useRecords } from "../../api/records.ts";
import { queryOfSearch } from "../../api/record-search.ts";
import { ago } from "../../lib/format.ts";
import { PickerDialog, usePicker, type PickerProps } from "./picker.tsx";

export function RecordPicker({ target, ...props }: PickerProps & { target: RecordModel }) {
  const picker = usePicker(props);
  const list = useRecords(target, queryOfSearch(target, picker.search), picker.shown);
  return (
    <PickerDialog
      {...props}
      picker={picker}
      list={list}
      title={`Choose from ${nameOf(target)}`}
      searchName="Search records"
      empty="No record"
      classes={{ list: "picker-records", item: "picker-record" }}
    >
      {(record, isChosen) => (
        <>
          <span>{titleOf(target, record)}</span>
          <span class="field-hint">{ago(record.updatedAt)}</span>
          {isChosen && <CheckIcon aria-hidden="true" />}
        </>
      )}
    </PickerDialog>
  );
}
