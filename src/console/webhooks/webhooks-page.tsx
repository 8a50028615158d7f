/** The webhooks of the space: the addresses that get its events. */
import { Plus, Webhook as WebhookIcon } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useWebhooks, type Webhook } from "../api/webhooks.ts";
import { counted } from "../lib/format.ts";
import { useMay, useSession } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { StateBadge } from "./state.tsx";
import { NewWebhook, titleOf } from "./webhook-dialogs.tsx";
import "../ui/lists/card-rows.css";
import "./webhooks.css";

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { space } = useSession();
  const { events, url } = webhook;
  return (
    <li class="card-row">
      <WebhookIcon aria-hidden="true" />
      <div class="card-row-words">
        <p class="card-row-name">
          <Link href={`/${space}/webhooks/${webhook.id}`}>{titleOf(webhook)}</Link>{" "}
          <StateBadge webhook={webhook} />
        </p>
        <p class="field-hint">
          {url} – {events.includes("*") ? "all events" : counted(events.length, "event")}
        </p>
      </div>
    </li>
  );
}

function Webhooks() {
  const { data, error, refetch } = useWebhooks();
  if (error) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} />;
  if (data.length === 0) {
    return (
      <Empty title="No webhooks yet" picture={<WebhookIcon />}>
        A webhook tells another service of changes: it builds your site again when something is published.
      </Empty>
    );
  }
  return (
    <ul class="card card-rows">
      {data.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} />
      ))}
    </ul>
  );
}

export function WebhooksPage() {
  const isAdmin = useMay("admin");
  const [isMaking, setMaking] = useState(false);
  return (
    <Page
      title="Webhooks"
      narrow
      actions={
        isAdmin && (
          <Button kind="solid" icon={<Plus />} onClick={() => setMaking(true)}>
            New webhook
          </Button>
        )
      }
    >
      {isAdmin ? (
        <Webhooks />
      ) : (
        <Empty title="Not for this key" picture={<WebhookIcon />}>
          A key with the role admin lists webhooks, makes and removes them.
        </Empty>
      )}
      {isMaking && <NewWebhook onClose={() => setMaking(false)} />}
    </Page>
  );
}
