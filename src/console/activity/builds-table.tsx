/** The last builds of the space, each with how it ended. */
import { Link } from "wouter-preact";
import type { Build } from "../api/activity.ts";
import { useMedia } from "../api/media.ts";
import { ago, bytes, count, dateTime, formatName } from "../lib/format.ts";
import { useSession } from "../session/context.tsx";
import "../ui/data.css";

const STATE_BADGES: Record<Build["state"], string> = {
  built: "badge badge-good",
  failed: "badge badge-bad",
  gone: "badge",
};

/** Renders the file that a variant was built from. Each is read once, however many of its variants are listed. */
function FileName({ mediaId }: Pick<Build, "mediaId">) {
  const { data, error } = useMedia(mediaId);
  return <p class="field-hint data-name">{error ? "Not there any more" : (data?.filename ?? "…")}</p>;
}

export function BuildsTable({ builds }: { builds: readonly Build[] }) {
  const { space } = useSession();
  return (
    <div class="data-frame" tabIndex={0} role="region" aria-label="Last builds, scrolls sideways">
      <table class="data">
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col">State</th>
            <th scope="col">Lane</th>
            <th scope="col" class="data-number">
              Milliseconds
            </th>
            <th scope="col" class="data-number">
              Bytes
            </th>
            <th scope="col">Ended</th>
          </tr>
        </thead>
        <tbody>
          {builds.map((build) => (
            <tr key={`${build.mediaId}/${build.masterVersion}/${build.file}/${build.endedAt}`}>
              <td>
                <Link class="data-link" href={`/${space}/media/${build.mediaId}`}>
                  {formatName(build.format)}, {count(build.width)} wide
                  {build.quality !== null && `, q ${build.quality}`}
                </Link>
                <FileName mediaId={build.mediaId} />
                {build.reason !== null && <p class="data-reason">{build.reason}</p>}
              </td>
              <td>
                <span class={STATE_BADGES[build.state]}>{build.state}</span>
                {build.tries > 1 && <span class="field-hint"> {build.tries} tries</span>}
              </td>
              <td>{build.lane}</td>
              <td class="data-number numbers">{count(build.milliseconds)}</td>
              <td class="data-number numbers">{build.bytes === null ? "–" : bytes(build.bytes)}</td>
              <td>
                <time dateTime={build.endedAt} title={dateTime(build.endedAt)}>
                  {ago(build.endedAt)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
