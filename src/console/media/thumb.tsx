/** A small picture of a media item: its placeholder first, then the preset that is wide enough. */
import { ImageOff } from "lucide-preact";
import { isVector } from "../../client/pictures/picture.ts";
import type { Media } from "../api/media.ts";
import { useSettled } from "../lib/pace.ts";
import { samePath } from "../lib/same-origin.ts";
import { thumbHashAddress } from "./placeholder.ts";
import { usePicture } from "./use-picture.ts";
import "./thumb.css";

/** A preset may be this much narrower than the place it fills. */
const NARROWER = 0.85;
const SHARPEST = 2;

const PRESETS = ["thumbnail", "small", "medium", "large"] as const;
const WIDTHS = { thumbnail: 236, small: 500, medium: 750, large: 1000 } as const;

/** Returns the address of direct delivery of the narrowest preset that fills `width` CSS pixels. */
export function presetPath(media: Media, width: number): string {
  const wanted = width * Math.min(SHARPEST, window.devicePixelRatio) * NARROWER;
  const name = PRESETS.find((one) => WIDTHS[one] >= wanted) ?? "large";
  const preset = media.formats?.[name];
  // Without adaptive loading there are no presets in the object, and the same variants all the same.
  return preset ? samePath(preset.directUrl) : `${samePath(media.directUrl)}&w=${WIDTHS[name]}&auto=format`;
}

/** Returns whether something behind the picture may show through. */
export const isClear = (media: Media): boolean => media.hasAlpha || isVector(media);

export function Thumb({
  media,
  width,
  fit = "cover",
}: {
  media: Media;
  /** CSS pixels. */
  width: number;
  fit?: "cover" | "contain";
}) {
  const isSettled = useSettled();
  const { address, state } = usePicture(isSettled ? presetPath(media, width) : null);
  const { placeholder, focalPoint } = media;
  const position = focalPoint ? `${focalPoint.x * 100}% ${focalPoint.y * 100}%` : undefined;
  return (
    <span
      class="thumb"
      data-state={state}
      style={{
        backgroundColor: placeholder && !isClear(media) ? placeholder.dominantColor : undefined,
        backgroundImage:
          isSettled && placeholder && address === null
            ? `url("${thumbHashAddress(placeholder.thumbHash)}")`
            : undefined,
      }}
    >
      {address !== null && (
        <img
          src={address}
          alt=""
          draggable={false}
          decoding="async"
          style={{ objectFit: fit, objectPosition: position }}
        />
      )}
      {state === "failed" && address === null && <ImageOff aria-hidden="true" />}
    </span>
  );
}
