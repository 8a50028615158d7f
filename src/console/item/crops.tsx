/** How the picture looks in each ratio of the space, with the focal point as it stands. */
import type { FocalPoint, Media } from "../api/media.ts";
import { usePicture } from "../media/use-picture.ts";
import { isClear, presetPath } from "../media/thumb.tsx";
import { cropOf, ratioOf } from "../lib/crop.ts";
import "./crops.css";

const shareText = (share: number): string => `${share * 100}%`;

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
  const whole = media.width / media.height;
  return (
    <ul class="crops">
      {ratios.map((text) => {
        const ratio = ratioOf(text);
        const { left, top, width, height } = cropOf(whole, ratio, point);
        return (
          <li key={text}>
            <div
              class={isClear(media) ? "crop chequered" : "crop"}
              style={{ aspectRatio: String(ratio), width: ratio >= 1 ? "100%" : shareText(ratio) }}
            >
              {address !== null && (
                <img
                  src={address}
                  alt=""
                  draggable={false}
                  style={{
                    width: shareText(1 / width),
                    height: shareText(1 / height),
                    left: shareText(-left / width),
                    top: shareText(-top / height),
                  }}
                />
              )}
            </div>
            <p class="numbers">{text}</p>
          </li>
        );
      })}
    </ul>
  );
}
