/** The look of a card in the text: a picture with its caption, or a component by its title. */
import { Component as ComponentIcon, ImageOff, Pencil, Trash2 } from "lucide-preact";
import { useMedia } from "../../api/media.ts";
import { nameOf, type Model } from "../../api/models.ts";
import { Thumb } from "../../media/thumb.tsx";
import { IconButton } from "../../ui/button.tsx";
import { componentNamed } from "../nested/component-value.ts";
import { summaryOf } from "../nested/summary.ts";
import { IMAGE, type ObjectBlock } from "./portable-text.ts";

const PICTURE_PIXELS = 640;
/** The greatest height of a picture: in percent of the width of its card, and in all. */
const MOST_HEIGHT_PERCENT = 75;
const MOST_HEIGHT_REM = 24;

interface FaceProps {
  value: ObjectBlock;
  models: readonly Model[];
  /** Whether the service found a fault in it. */
  isFaulty: boolean;
  /** Null if the reader may not change the text. */
  onRemove: (() => void) | null;
  onOpen: () => void;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function Picture({ id }: { id: string }) {
  const { data, error } = useMedia(id);
  if (error)
    return (
      <span class="rich-card-gone">
        <ImageOff aria-hidden="true" />
        The picture is not there any more.
      </span>
    );
  if (!data) return <span class="rich-card-picture" />;
  const ratio = data.width / data.height;
  // A tall picture is as high as a wide one, and narrower: the text around it stays in sight.
  const width = `min(100%, ${MOST_HEIGHT_PERCENT * ratio}%, ${MOST_HEIGHT_REM * ratio}rem)`;
  return (
    <span class="rich-card-picture" style={{ aspectRatio: String(ratio), width }}>
      <Thumb media={data} width={PICTURE_PIXELS} fit="contain" />
    </span>
  );
}

export function CardFace({ value, models, isFaulty, onRemove, onOpen }: FaceProps) {
  const isImage = value._type === IMAGE;
  const model = componentNamed(models, value._type);
  const words = isImage ? "picture" : model ? nameOf(model) : value._type;
  const caption = isImage
    ? text(value["caption"]) || text(value["alt"])
    : model
      ? summaryOf(model, value)
      : "";
  return (
    <>
      {isImage && text(value["media"]) !== "" && <Picture id={text(value["media"])} />}
      <span class="rich-card-line">
        {!isImage && <ComponentIcon aria-hidden="true" />}
        <span class="rich-card-words">
          {!isImage && <span class="rich-card-kind">{words}</span>}
          <span class={isImage ? "rich-card-caption" : "rich-card-title"}>{caption}</span>
        </span>
        {isFaulty && <span class="badge badge-bad">to mend</span>}
        <IconButton name={`Edit ${words}`} icon={<Pencil />} onClick={onOpen} />
        {onRemove && <IconButton name={`Remove ${words}`} icon={<Trash2 />} onClick={onRemove} />}
      </span>
    </>
  );
}
