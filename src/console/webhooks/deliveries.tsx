/** The deliveries of a webhook in the last 30 days, each with its attempts. */
import { useState } from "preact/hooks";
import { useDeliveries, useRedeliver, type WebhookDelivery } from "../api/webhooks.ts";
import { count, counted } from "../lib/format.ts";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { Fault, Skeleton } from "../ui/page.tsx";
import { complain, notify } from "../ui/toast.tsx";
import "../ui/data.css";

const BADGES: Record<WebhookDelivery["state"], string> = {
  delivered: "badge badge-good",
  failed: "badge badge-bad",
  pending: "badge",
};

/** Returns the facts of an event in a line: the model, the id, the version. */
function subjectOf({ data }: WebhookDelivery): string {
  const said = [
    data["model"],
    data["id"],
    typeof data["version"] === "number" && `version ${data["version"]}`,
  ];
  return said.filter((part) => typeof part === "string").join(", ");
}

function Attempts({ delivery }: { delivery: WebhookDelivery }) {
  const { attempts, nextAttemptAt, state } = delivery;
  if (attempts.length === 0)
    return <span class="field-hint">{state === "pending" ? "Waiting" : "None"}</span>;
  return (
    <details class="webhook-attempts">
      <summary>{counted(attempts.length, "attempt")}</summary>
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <Ago time={attempt.at} />: {attempt.status ?? "no answer"}, {count(attempt.ms)} ms
            {attempt.error !== null && <p class="data-reason">{attempt.error}</p>}
          </li>
        ))}
      </ol>
      {nextAttemptAt !== null && (
        <p class="field-hint">
          Next <Ago time={nextAttemptAt} />
        </p>
      )}
    </details>
  );
}

function Row({
  delivery,
  canSend,
  onRedeliver,
}: {
  delivery: WebhookDelivery;
  canSend: boolean;
  onRedeliver: (id: string) => void;
}) {
  return (
    <tr>
      <td>
        {delivery.event}
        <p class="field-hint data-name">{subjectOf(delivery)}</p>
      </td>
      <td>
        <span class={BADGES[delivery.state]}>{delivery.state}</span>
      </td>
      <td>
        <Attempts delivery={delivery} />
      </td>
      <td>
        <Ago time={delivery.createdAt} />
      </td>
      <td>
        {canSend && (
          <Button
            small
            aria-label={`Redeliver ${delivery.event} of ${delivery.createdAt}`}
            onClick={() => onRedeliver(delivery.id)}
          >
            Redeliver
          </Button>
        )}
      </td>
    </tr>
  );
}

export function Deliveries({ webhookId, canSend }: { webhookId: string; canSend: boolean }) {
  const [cursors, setCursors] = useState<(string | null)[]>([null]);
  const { data, error, refetch } = useDeliveries(webhookId, cursors.at(-1) ?? null);
  const redeliver = useRedeliver(webhookId);
  const send = (id: string): void =>
    redeliver.mutate(id, {
      onSuccess: () => notify("The delivery is sent again"),
      onError: ({ message }) => complain(message),
    });
  if (error) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={4} />;
  const next = data.meta.nextCursor;
  if (data.data.length === 0)
    return <p class="field-hint">Nothing was sent in the last 30 days. Send a ping to try the receiver.</p>;
  return (
    <>
      <div class="data-frame" tabIndex={0} role="region" aria-label="Deliveries, scrolls sideways">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">State</th>
              <th scope="col">Attempts</th>
              <th scope="col">When</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {data.data.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} canSend={canSend} onRedeliver={send} />
            ))}
          </tbody>
        </table>
      </div>
      {(next !== null || cursors.length > 1) && (
        <div class="webhook-pages">
          <Button small disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </Button>
          <Button small disabled={next === null} onClick={() => setCursors([...cursors, next])}>
            Older
          </Button>
        </div>
      )}
    </>
  );
}
