/** The variants of a picture: those that were built, those that are being built, and those that failed. */
import { FORMATS, type VariantFormat } from "../../image/formats/registry.ts";
import { useVariants, type FailedVariant, type QueuedVariant, type Variant } from "../api/activity.ts";
import type { Media } from "../api/media.ts";
import { ago, bytes, count, dateTime, percent } from "../lib/format.ts";
import { Fault, Skeleton } from "../ui/page.tsx";
import "../ui/data.css";

interface Line {
  file: string;
  width: number;
  height: number;
  format: VariantFormat;
  quality: number | null;
  sizeBytes: number | null;
  state: string;
  badge: string;
  /** When it was built; null for what is not. */
  createdAt: string | null;
  reason: string | null;
}

const BARE = { sizeBytes: null, createdAt: null, reason: null };

const queuedLine = ({ state, lane, ...variant }: QueuedVariant): Line => ({
  ...BARE,
  ...variant,
  state: state === "running" ? "being built" : `waiting, ${lane}`,
  badge: "badge badge-accent",
});
const failedLine = ({ reason, retryAt, ...variant }: FailedVariant): Line => ({
  ...BARE,
  ...variant,
  reason: `${reason} Tried again ${ago(retryAt)}.`,
  state: "failed",
  badge: "badge badge-bad",
});
const readyLine = (variant: Variant): Line => ({
  ...variant,
  reason: null,
  state: "ready",
  badge: "badge badge-good",
});

function Row({ line, masterBytes }: { line: Line; masterBytes: number }) {
  const { width, height, format, quality, sizeBytes, state, badge, createdAt, reason } = line;
  return (
    <tr>
      <td class="data-number numbers">{count(width)}</td>
      <td class="data-number numbers">{count(height)}</td>
      <td>{FORMATS[format].title}</td>
      <td class="data-number numbers">{quality ?? "–"}</td>
      <td class="data-number numbers">
        {sizeBytes === null ? (
          "–"
        ) : (
          <>
            {bytes(sizeBytes)} <span class="field-hint">{percent(sizeBytes / masterBytes)}</span>
          </>
        )}
      </td>
      <td>
        <span class={badge}>{state}</span>
        {reason !== null && <p class="data-reason">{reason}</p>}
      </td>
      <td>
        {createdAt === null ? (
          "–"
        ) : (
          <time dateTime={createdAt} title={dateTime(createdAt)}>
            {ago(createdAt)}
          </time>
        )}
      </td>
    </tr>
  );
}

export function Variants({ media }: { media: Media }) {
  const { data, error, refetch } = useVariants(media.id);
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const lines = [
    ...data.meta.queued.map(queuedLine),
    ...data.meta.failed.map(failedLine),
    ...data.data.map(readyLine),
  ].sort((one, other) => one.width - other.width || one.format.localeCompare(other.format));
  return (
    <div class="data-frame" tabIndex={0} role="region" aria-label="Built from this picture, scrolls sideways">
      <table class="data" aria-label="Variants">
        <thead>
          <tr>
            {["Width", "Height"].map((name) => (
              <th key={name} scope="col" class="data-number">
                {name}
              </th>
            ))}
            <th scope="col">Format</th>
            <th scope="col" class="data-number">
              Quality
            </th>
            <th scope="col" class="data-number">
              Bytes
            </th>
            <th scope="col">State</th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row key={line.file} line={line} masterBytes={media.size} />
          ))}
          {lines.length === 0 && (
            <tr>
              <td colSpan={7}>None yet. They are built when a visitor asks for them.</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
