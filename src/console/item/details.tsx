/** The item itself: its picture with the focal point, its alt text, its crops and facts. */
import { useCallback, useState } from "preact/hooks";
import { useChangeMedia, type FocalPoint, type Media } from "../api/media.ts";
import { useSettings } from "../api/space.ts";
import { ago, bytes, count, dateTime, formatName } from "../lib/format.ts";
import { useAutosave, type SaveState } from "../lib/use-autosave.ts";
import { useMay } from "../session/context.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Card } from "../ui/page.tsx";
import { AltText } from "./alt-text.tsx";
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

/** Shows what the master's file states about the rights in it. The file says it, so it is not changed here. */
function Rights({ copyright }: { copyright: NonNullable<Media["copyright"]> }) {
  const statements: [name: string, value: string | null][] = [
    ["Creator", copyright.creator],
    ["Notice", copyright.notice],
    ["Credit", copyright.credit],
    ["Terms", copyright.usageTerms],
    ["Statement", copyright.statement],
    ["Licensor", copyright.licensor],
  ];
  return (
    <dl class="facts">
      {statements.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

export function Details({ media }: { media: Media }) {
  const mayWrite = useMay("write");
  const { mutateAsync } = useChangeMedia(media.id);
  const [point, setPoint] = useState(() => pointOf(media));
  const [last, setLast] = useState<"alt" | "point">("alt");
  const [altState, setAltState] = useState<SaveState>("idle");
  const focal = useAutosave((to: FocalPoint | null) => mutateAsync({ focalPoint: to }));
  const { data: settings } = useSettings();

  const showAltState = useCallback((state: SaveState): void => {
    setAltState(state);
    if (state !== "idle") setLast("alt");
  }, []);
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
          <AltText media={media} onState={showAltState} />
          <p class="details-status" role="status">
            {last === "alt" ? WORDS[altState]("Alt text") : WORDS[focal.state]("Focal point")}
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
        {media.copyright && (
          <Card title="Copyright">
            <Rights copyright={media.copyright} />
          </Card>
        )}
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
