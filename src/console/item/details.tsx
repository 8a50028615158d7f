/** The item itself: its picture with the focal point, its alt text, its crops and facts. */
import { useState } from "preact/hooks";
import { UPLOAD } from "../../limits.ts";
import { useChangeMedia, type FocalPoint, type Media } from "../api/media.ts";
import { useSettings } from "../api/space.ts";
import { ago, bytes, count, dateTime, formatName } from "../lib/format.ts";
import { useAutosave, type SaveState } from "../lib/use-autosave.ts";
import { useMay } from "../session/context.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Field } from "../ui/field.tsx";
import { Card } from "../ui/page.tsx";
import { Crops } from "./crops.tsx";
import { FocalPointGroup, pointOf } from "./focal-point.tsx";
import { UsedIn } from "./used-in.tsx";
import { Variants } from "./variants.tsx";
import "./details.css";

const WORDS: Record<SaveState, (what: string) => string> = {
  idle: () => "",
  saving: () => "Saving…",
  saved: (what) => `${what} saved`,
  failed: (what) => `${what} not stored. Change it again to retry.`,
};

function Facts({ media }: { media: Media }) {
  const facts: [name: string, value: string][] = [
    ["Kind", `${formatName(media.mime)}${media.animated ? `, ${count(media.frames ?? 0)} frames` : ""}`],
    ["Size", `${media.width} × ${media.height}`],
    ["Bytes", bytes(media.size)],
    ["Uploaded", `${dateTime(media.createdAt)} (${ago(media.createdAt)})`],
    ["Changed", ago(media.updatedAt)],
    ["Version", String(media.masterVersion)],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="numbers">{value}</dd>
        </div>
      ))}
      <div>
        <dt>Id</dt>
        <dd class="mono">{media.id}</dd>
      </div>
    </dl>
  );
}

function AltText({
  media,
  onChange,
  onLeave,
}: {
  media: Media;
  onChange: (alt: string) => void;
  onLeave: () => void;
}) {
  const [alt, setAlt] = useState(media.alt);
  const mayWrite = useMay("write");
  return (
    <Field
      label="Alt text"
      hint="What the picture shows, for whoever does not see it. Search engines read it too."
      aside={alt === "" ? <span class="badge badge-warn">missing</span> : `${count(alt.length)} characters`}
    >
      {(control) => (
        <textarea
          {...control}
          class="textarea details-alt"
          rows={3}
          maxLength={UPLOAD.altMaxCharacters}
          value={alt}
          readOnly={!mayWrite}
          placeholder="A lighthouse on a rocky shore, at low tide"
          onInput={(event) => {
            setAlt(event.currentTarget.value);
            onChange(event.currentTarget.value);
          }}
          onBlur={onLeave}
        />
      )}
    </Field>
  );
}

export function Details({ media }: { media: Media }) {
  const mayWrite = useMay("write");
  const { mutateAsync } = useChangeMedia(media.id);
  const [point, setPoint] = useState(() => pointOf(media));
  const [last, setLast] = useState<"alt" | "point">("alt");
  const alt = useAutosave((text: string) => mutateAsync({ alt: text }));
  const focal = useAutosave((to: FocalPoint | null) => mutateAsync({ focalPoint: to }));
  const { data: settings } = useSettings();

  const movePoint = (to: FocalPoint | null): void => {
    setPoint(to ?? pointOf({ ...media, focalPoint: null }));
    setLast("point");
    focal.later(to);
  };
  return (
    <div class="details">
      <div class="details-main">
        <FocalPointGroup media={media} point={point} mayChange={mayWrite} onChange={movePoint} />
        <div class="details-built">
          <Card title="What was built">
            <Variants media={media} />
          </Card>
        </div>
      </div>
      <div class="details-side">
        <Card>
          <AltText
            media={media}
            onChange={(text) => {
              setLast("alt");
              alt.later(text);
            }}
            onLeave={alt.now}
          />
          <p class="details-status" role="status">
            {last === "alt" ? WORDS[alt.state]("Alt text") : WORDS[focal.state]("Focal point")}
          </p>
        </Card>
        {settings && (
          <Card title="Crops">
            <Crops media={media} point={point} ratios={settings.aspectRatios} />
          </Card>
        )}
        <Card title="Where it is used">
          <UsedIn mediaId={media.id} />
        </Card>
        <Card title="The master">
          <Facts media={media} />
          <div class="facts-buttons">
            <CopyButton small text={media.id} name="Copy id" />
            <CopyButton small text={media.url} name="Copy address" />
          </div>
        </Card>
      </div>
    </div>
  );
}
