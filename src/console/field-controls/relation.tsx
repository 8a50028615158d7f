/** Records of a collection. */
import { Link2 } from "lucide-preact";
import { useCallback } from "preact/hooks";
import { collectionNamed, type Field, type Model, type RecordModel } from "../api/models.ts";
import { titleOf, useRecord, type RecordView } from "../api/records.ts";
import { counted, untitled } from "../lib/format.ts";
import { labelled, type FieldControls, type InputProps, type ShownProps } from "./field-control.tsx";
import type { PickerProps } from "./pickers/picker.tsx";
import { RecordPicker } from "./pickers/record-picker.tsx";
import { Chosen, Gone, isExpanded, NamedItems, ReferenceInput } from "./reference-input.tsx";

const targetOf = (field: Field, models: readonly Model[]): RecordModel | undefined =>
  collectionNamed(models, field.to);

function ChosenRecord({
  id,
  target,
  onRemove,
}: {
  id: string;
  target: RecordModel;
  onRemove: (() => void) | null;
}) {
  const { data, error } = useRecord(target, id);
  return (
    <Chosen
      title={data ? titleOf(target, data) : id}
      hint={error && <span class="field-hint">It is not there any more.</span>}
      onRemove={onRemove}
    />
  );
}

function RelationInput(props: InputProps) {
  const target = targetOf(props.field, props.models);
  // The components stay the same from one drawing to the next, so that they keep their state.
  const Item = useCallback(
    (item: { id: string; onRemove: (() => void) | null }) =>
      target ? <ChosenRecord {...item} target={target} /> : null,
    [target],
  );
  const Picker = useCallback(
    (picker: PickerProps) => (target ? <RecordPicker {...picker} target={target} /> : null),
    [target],
  );
  return (
    <ReferenceInput
      {...props}
      icon={<Link2 aria-hidden="true" />}
      canChoose={target !== undefined}
      Item={Item}
      Picker={Picker}
    />
  );
}

function NamedRecord({ id, target }: { id: string; target: RecordModel }) {
  const { data, error } = useRecord(target, id);
  if (error) return <Gone id={id} />;
  return <span>{data ? titleOf(target, data) : "…"}</span>;
}

function Records({ field, value, models }: ShownProps) {
  const target = targetOf(field, models);
  const Item = useCallback(
    ({ id }: { id: string }) => (target ? <NamedRecord id={id} target={target} /> : <Gone id={id} />),
    [target],
  );
  return <NamedItems value={value} Item={Item} />;
}

function RecordCell({ field, value, models }: ShownProps) {
  if (Array.isArray(value)) return <>{counted(value.length, "record")}</>;
  if (!isExpanded(value)) return <code>{String(value)}</code>;
  const target = targetOf(field, models);
  const record = value as unknown as RecordView;
  return <>{target ? titleOf(target, record) : untitled(record.id)}</>;
}

export const RELATION: FieldControls = {
  Control: labelled(RelationInput),
  Cell: RecordCell,
  Value: Records,
  compared: null,
  Default: null,
};
