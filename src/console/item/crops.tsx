/** How the picture looks in each ratio of the space, with the focal point as it stands. */
import { type Ratio, parseRatio } from "../../image/geometry/aspect-ratio.ts";
import { cropOf } from "../../image/geometry/crop.ts";
import { focalPointOf } from "../../image/geometry/focal-point.ts";
import type { FocalPoint, Media } from "../api/media.ts";
import { usePicture } from "../media/use-picture.ts";
import { isClear, presetPath } from "../media/thumb.tsx";
import "./crops.css";

const shareText = (share: number): string => `${share * 100}%`;

/** Returns the place of the whole picture in a box that shows its crop, as CSS. */
function placeOf(media: Media, ratio: Ratio, point: FocalPoint): Record<string, string> {
  const whole = { left: 0, top: 0, width: media.width, height: media.height };
  const { left, top, width, height } = cropOf(media, ratio, focalPointOf(point))?.rect ?? whole;
  return {
    width: shareText(media.width / width),
    height: shareText(media.height / height),
    left: shareText(-left / width),
    top: shareText(-top / height),
  };
}

export function Crops({
  media,
  point,
  ratios,
}: {
  media: Media;
  point: FocalPoint;
  ratios: readonly string[];
}) {
  const { address } = usePicture(presetPath(media, 400));
  return (
    <ul class="crops">
      {ratios.map((text) => {
        const ratio = parseRatio(text);
        if (!ratio) return null;
        const shape = ratio.width / ratio.height;
        return (
          <li key={text}>
            <div
              class={isClear(media) ? "crop chequered" : "crop"}
              style={{ aspectRatio: String(shape), width: shape >= 1 ? "100%" : shareText(shape) }}
            >
              {address !== null && (
                <img src={address} alt="" draggable={false} style={placeOf(media, ratio, point)} />
              )}
            </div>
            <p class="numbers">{text}</p>
          </li>
        );
      })}
    </ul>
  );
}
