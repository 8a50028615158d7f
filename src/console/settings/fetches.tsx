/** The last fetches from other servers, each with how it ended. */
import { useState } from "preact/hooks";
import type { RemoteFetch } from "../api/origins.ts";
import { bytes, count } from "../lib/format.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";

const SHOWN_FIRST = 10;

const STATE_BADGES: Record<RemoteFetch["state"], string> = {
  stored: "badge badge-good",
  unchanged: "badge",
  failed: "badge badge-bad",
};

interface FetchesProps {
  fetches: readonly RemoteFetch[];
  waiting: number;
  running: number;
}

export function Fetches({ fetches, waiting, running }: FetchesProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? fetches : fetches.slice(0, SHOWN_FIRST);
  if (fetches.length + waiting + running === 0) return null;
  return (
    <>
      <header class="card-head">
        <h3>Last fetches</h3>
        <p class="page-aside" role="status">
          {waiting + running > 0 && `${count(running)} running, ${count(waiting)} waiting`}
        </p>
      </header>
      <div class="data-frame" tabIndex={0} role="region" aria-label="Last fetches, scrolls sideways">
        <table class="data origins-table">
          <thead>
            <tr>
              <th scope="col">Address</th>
              <th scope="col">State</th>
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
            {shown.map((fetched) => (
              <tr key={`${fetched.endedAt} ${fetched.url}`}>
                <td class="origins-address">
                  {fetched.url}
                  {fetched.reason !== null && <p class="data-reason">{fetched.reason}</p>}
                </td>
                <td>
                  <span class={STATE_BADGES[fetched.state]}>{fetched.state}</span>
                  {fetched.isRevalidation && <span class="field-hint"> asked again</span>}
                </td>
                <td class="data-number numbers" data-label="Milliseconds">
                  {count(fetched.milliseconds)}
                </td>
                <td class="data-number numbers">{fetched.bytes === null ? "–" : bytes(fetched.bytes)}</td>
                <td>
                  <Ago time={fetched.endedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length < fetches.length && (
          <p class="origins-more">
            <Button small onClick={() => setWhole(true)}>
              Show all {fetches.length} fetches
            </Button>
          </p>
        )}
      </div>
    </>
  );
}
