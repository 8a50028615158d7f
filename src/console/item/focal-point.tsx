/** The point that crops are centred on: set with the pointer on the picture, or with arrow keys. */
import { useRef, useState } from "preact/hooks";
import type { FocalPoint, Media } from "../api/media.ts";
import { isClear, Thumb } from "../media/thumb.tsx";
import { percent } from "../lib/format.ts";
import { useLatest } from "../lib/use-latest.ts";
import { Button } from "../ui/button.tsx";
import "./focal-point.css";

const CENTRE: FocalPoint = { x: 0.5, y: 0.5 };
const STEP = 0.01;
const LARGE_STEP = 0.1;
const ARROWS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Moves a share into the picture, with the two decimals that are kept. */
const settled = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 100) / 100;

export const pointOf = ({ focalPoint, focalPointSuggested }: Media): FocalPoint =>
  focalPoint ?? focalPointSuggested ?? CENTRE;

interface FocalPointProps {
  media: Media;
  point: FocalPoint;
  mayChange: boolean;
  onChange: (point: FocalPoint | null) => void;
}

export function FocalPointGroup({ media, point, mayChange, onChange }: FocalPointProps) {
  const picture = useRef<HTMLDivElement>(null);
  const [isHeld, setHeld] = useState(false);
  const place = useLatest((event: PointerEvent) => {
    const box = picture.current?.getBoundingClientRect();
    if (!box) return;
    onChange({
      x: settled((event.clientX - box.left) / box.width),
      y: settled((event.clientY - box.top) / box.height),
    });
  });
  const move = (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key];
    if (!arrow || !mayChange) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    onChange({ x: settled(point.x + arrow[0] * step), y: settled(point.y + arrow[1] * step) });
  };
  const ratio = media.width / media.height;
  return (
    <div class="focal">
      <div
        class="focal-group"
        role="group"
        aria-label="Focal point"
        aria-describedby="focal-hint"
        // Arrow keys move the point. It has no value that a slider could have: it goes two ways.
        tabIndex={mayChange ? 0 : undefined}
        onKeyDown={move}
      >
        <div
          ref={picture}
          class={`focal-picture${isClear(media) ? " chequered" : ""}${mayChange ? " focal-open" : ""}`}
          style={{ aspectRatio: String(ratio), maxWidth: `min(100%, calc(62vh * ${ratio}))` }}
          onPointerDown={(event) => {
            if (!mayChange || event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setHeld(true);
            place(event);
          }}
          onPointerMove={(event) => isHeld && place(event)}
          onPointerUp={() => setHeld(false)}
          onPointerCancel={() => setHeld(false)}
        >
          <Thumb media={media} width={900} fit="contain" />
          <span class="focal-mark" style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }} />
        </div>
        <p id="focal-hint" class="focal-words numbers">
          {percent(point.x)} from the left, {percent(point.y)} from the top.
          {mayChange && <span class="field-hint"> Click the picture, or use the arrow keys.</span>}
        </p>
      </div>
      {mayChange && media.focalPoint !== null && (
        <Button kind="quiet" small onClick={() => onChange(null)}>
          {media.focalPointSuggested ? "Use the suggested point" : "Use the centre"}
        </Button>
      )}
    </div>
  );
}
