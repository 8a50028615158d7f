/** Shows the delivered file and its figures, beside the master on request. */
import { useState } from "preact/hooks";
import type { Media } from "../api/media.ts";
import { bytes, count, formatName, percent } from "../lib/format.ts";
import { samePath } from "../lib/same-origin.ts";
import { isClear } from "../media/thumb.tsx";
import { Check, Field } from "../ui/field.tsx";
import type { Variant } from "./use-variant.ts";

const STATE_WORDS: Record<string, string> = {
  master: "The master itself: no parameter changes it.",
  hit: "It was there already.",
  built: "It was built while the visitor waited, within 250 ms.",
  queued: "The visitor gets the master; the variant is being built.",
  coalesced: "Another visitor asked for it a moment ago; it is being built.",
  limited: "The budget of new variants is used up for some minutes: the master answers.",
  overloaded: "The queue is full for the moment: the master answers.",
  unavailable: "It cannot be built, or is over a limit: the master answers.",
};

const BADGES: Record<string, string> = {
  hit: "badge-good",
  built: "badge-good",
  queued: "badge-accent",
  coalesced: "badge-accent",
  limited: "badge-warn",
  overloaded: "badge-warn",
  unavailable: "badge-bad",
};

function Figures({ media, variant }: { media: Media; variant: Variant | null }) {
  if (!variant) return <p>Asking…</p>;
  if (variant.fault !== null) return <p class="field-faults">{variant.fault}</p>;
  const { state, mime, bytes: size, ms, width, firstState, readyMs } = variant;
  return (
    <>
      <p class="stage-figures numbers">
        <span class={`badge ${BADGES[state] ?? ""}`}>{state}</span> {formatName(mime)}, {count(size)} bytes
        {size >= 1024 && ` (${bytes(size)})`}, {count(ms)} ms
        {width !== null && `, ${count(width)} pixels across`}
      </p>
      <p class="field-hint">
        {size < media.size && `${percent(size / media.size)} of the master. `}
        {firstState !== null && readyMs !== null
          ? `First ${firstState}, ready after ${count(readyMs)} ms.`
          : STATE_WORDS[state]}
      </p>
    </>
  );
}

export function Stage({
  media,
  variant,
  isCropped,
}: {
  media: Media;
  variant: Variant | null;
  /** Whether the file has another shape than the master, so that the two cannot be laid upon each other. */
  isCropped: boolean;
}) {
  const [isCompared, setCompared] = useState(false);
  const [divider, setDivider] = useState(50);
  const compares = isCompared && !isCropped;
  return (
    <div class="stage">
      <div class="stage-status" role="status">
        <Figures media={media} variant={variant} />
      </div>
      <div class={isClear(media) ? "stage-picture chequered" : "stage-picture"}>
        {variant?.address && (
          <img
            class="stage-variant"
            src={variant.address}
            alt="Preview"
            style={compares ? { clipPath: `inset(0 0 0 ${divider}%)` } : undefined}
          />
        )}
        {compares && (
          <>
            <img
              class="stage-master"
              src={samePath(media.directUrl)}
              alt=""
              style={{ clipPath: `inset(0 ${100 - divider}% 0 0)` }}
            />
            <span class="stage-divider" style={{ left: `${divider}%` }} />
          </>
        )}
      </div>
      {!isCropped && (
        <div class="stage-compare">
          <Check
            label="Compare with the master"
            hint={compares ? "The master is on the left." : `Loads ${bytes(media.size)}.`}
            checked={isCompared}
            onChange={setCompared}
          />
          {compares && (
            <Field label="Divider">
              {(control) => (
                <input
                  {...control}
                  type="range"
                  min={0}
                  max={100}
                  value={divider}
                  onInput={({ currentTarget }) => setDivider(Number(currentTarget.value))}
                />
              )}
            </Field>
          )}
        </div>
      )}
    </div>
  );
}
