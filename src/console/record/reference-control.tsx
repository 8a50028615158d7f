/** Pictures or records that a field names: those chosen, and the way to choose. */
import { ImagePlus, Link2, X } from "lucide-preact";
import { useState } from "preact/hooks";
import { useMedia } from "../api/media.ts";
import type { Field, Model } from "../api/models.ts";
import { titleOf, useRecord } from "../api/records.ts";
import { labelOf } from "../content/view.ts";
import { bytes, count } from "../lib/format.ts";
import { Thumb } from "../media/thumb.tsx";
import { buttonClass, IconButton } from "../ui/button.tsx";
import type { ControlProps } from "../ui/field.tsx";
import { MediaPicker } from "./media-picker.tsx";
import { RecordPicker } from "./record-picker.tsx";

/** Of a long list, what is shown; the others are kept all the same. */
const SHOWN_MAX = 30;
const THUMB_PIXELS = 64;

interface ReferenceProps {
  field: Field;
  value: unknown;
  models: readonly Model[];
  mayChange: boolean;
  control: ControlProps;
  onChange: (value: unknown) => void;
}

const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? (value as string[]) : typeof value === "string" ? [value] : [];

interface ChosenProps {
  id: string;
  onRemove: (() => void) | null;
}

function Remove({ title, onRemove }: { title: string; onRemove: ChosenProps["onRemove"] }) {
  return onRemove && <IconButton name={`Take out ${title}`} icon={<X />} onClick={onRemove} />;
}

function ChosenMedia({ id, onRemove }: ChosenProps) {
  const { data, error } = useMedia(id);
  const title = data?.filename ?? id;
  return (
    <li class="chosen">
      <span class="chosen-picture">{data && <Thumb media={data} width={THUMB_PIXELS} />}</span>
      <span class="chosen-words">
        <span>{title}</span>
        <span class="field-hint numbers">
          {data && `${data.width} × ${data.height} · ${bytes(data.size)}`}
          {error && "It is not there any more."}
        </span>
      </span>
      <Remove title={title} onRemove={onRemove} />
    </li>
  );
}

function ChosenRecord({ id, target, onRemove }: ChosenProps & { target: Model }) {
  const { data, error } = useRecord(target, id);
  const title = data ? titleOf(target, data) : id;
  return (
    <li class="chosen">
      <span class="chosen-words">
        <span>{title}</span>
        {error && <span class="field-hint">It is not there any more.</span>}
      </span>
      <Remove title={title} onRemove={onRemove} />
    </li>
  );
}

export function ReferenceControl({ field, value, models, mayChange, control, onChange }: ReferenceProps) {
  const [isOpen, setOpen] = useState(false);
  const ids = idsOf(value);
  const isMany = field.multiple === true;
  const isMedia = field.type === "media";
  const target = models.find(({ typeModel, name }) => typeModel === "collections" && name === field.to);
  const take = (to: readonly string[]): void => onChange(isMany ? to : (to[0] ?? null));
  const remove = (id: string) => (mayChange ? () => take(ids.filter((one) => one !== id)) : null);
  const close = (): void => setOpen(false);
  const { id } = control;
  const verb = isMany ? "Add" : ids.length > 0 ? "Change" : "Choose";
  return (
    <div class="reference">
      {ids.length > 0 && (
        <ul class={isMany ? "chosen-list chosen-many" : "chosen-list"}>
          {ids
            .slice(0, SHOWN_MAX)
            .map((one) =>
              isMedia ? (
                <ChosenMedia key={one} id={one} onRemove={remove(one)} />
              ) : (
                target && <ChosenRecord key={one} id={one} target={target} onRemove={remove(one)} />
              ),
            )}
        </ul>
      )}
      {ids.length > SHOWN_MAX && <p class="field-hint">And {count(ids.length - SHOWN_MAX)} more.</p>}
      <button
        aria-describedby={control["aria-describedby"]}
        aria-invalid={control["aria-invalid"]}
        id={id}
        aria-label={`${labelOf(field)} ${verb}`}
        type="button"
        class={buttonClass("plain")}
        disabled={!mayChange || (!isMedia && !target)}
        onClick={() => setOpen(true)}
      >
        {isMedia ? <ImagePlus aria-hidden="true" /> : <Link2 aria-hidden="true" />}
        {verb}
      </button>
      {isOpen && isMedia && <MediaPicker chosen={ids} isMany={isMany} onTake={take} onClose={close} />}
      {isOpen && !isMedia && target && (
        <RecordPicker target={target} chosen={ids} isMany={isMany} onTake={take} onClose={close} />
      )}
    </div>
  );
}
