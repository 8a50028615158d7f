/** Pictures. */
import { ImagePlus } from "lucide-preact";
import { useMedia, type Media } from "../api/media.ts";
import { bytes, counted } from "../lib/format.ts";
import { Thumb } from "../media/thumb.tsx";
import { labelled, type FieldControls, type ShownProps } from "./field-control.tsx";
import { MediaPicker } from "./pickers/media-picker.tsx";
import { Chosen, Gone, isExpanded, NamedItems, ReferenceInput } from "./reference-input.tsx";

const CHOSEN_PIXELS = 64;
const CELL_PIXELS = 40;

function ChosenMedia({ id, onRemove }: { id: string; onRemove: (() => void) | null }) {
  const { data, error } = useMedia(id);
  return (
    <Chosen
      title={data?.filename ?? id}
      picture={<span class="chosen-picture">{data && <Thumb media={data} width={CHOSEN_PIXELS} />}</span>}
      hint={
        <span class="field-hint numbers">
          {data && `${data.width} × ${data.height} · ${bytes(data.size)}`}
          {error && "It is not there any more."}
        </span>
      }
      onRemove={onRemove}
    />
  );
}

function NamedMedia({ id }: { id: string }) {
  const { data, error } = useMedia(id);
  if (error) return <Gone id={id} />;
  return (
    <span class="cell-picture">
      {data && <Thumb media={data} width={CELL_PIXELS} />}
      <span>{data ? data.filename : "…"}</span>
    </span>
  );
}

function MediaCell({ value }: ShownProps) {
  if (Array.isArray(value)) return <>{counted(value.length, "picture")}</>;
  if (!isExpanded(value)) return <code>{String(value)}</code>;
  const media = value as unknown as Media;
  return (
    <span class="cell-picture">
      <Thumb media={media} width={CELL_PIXELS} />
      <span>{media.filename}</span>
    </span>
  );
}

export const MEDIA: FieldControls = {
  Control: labelled((props) => (
    <ReferenceInput
      {...props}
      icon={<ImagePlus aria-hidden="true" />}
      canChoose
      Item={ChosenMedia}
      Picker={MediaPicker}
    />
  )),
  Cell: MediaCell,
  Value: ({ value }) => <NamedItems value={value} Item={NamedMedia} />,
  compared: null,
  Default: null,
};
