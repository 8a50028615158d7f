/** A webhook: the events that it gets, its state, and its deliveries. */
import { Pencil, Send } from "lucide-preact";
import { useState } from "preact/hooks";
import { useParams } from "wouter-preact";
import { useChangeWebhook, usePing, useWebhook, type Webhook } from "../api/webhooks.ts";
import { useMay, useSession } from "../session/context.tsx";
import { Ago } from "../ui/ago.tsx";
import { BackLink } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Card, Fault, Page, Skeleton } from "../ui/page.tsx";
import { complain, notify } from "../ui/toast.tsx";
import { Deliveries } from "./deliveries.tsx";
import { SigningSecret } from "./secret.tsx";
import { StateBadge } from "./state.tsx";
import { EditWebhook, RemoveWebhook, titleOf } from "./webhook-dialogs.tsx";
import "./webhooks.css";

/** Returns what a webhook gets, in words. */
function eventsOf({ events, models }: Webhook): string {
  const said = events.map((event) => (event === "*" ? "All events" : event));
  return `${said.join(", ")}${models === null ? "" : `, of ${models.join(", ")}`}`;
}

function About({ webhook }: { webhook: Webhook }) {
  return (
    <dl class="webhook-about">
      <div>
        <dt>Address</dt>
        <dd class="mono">{webhook.url}</dd>
      </div>
      <div>
        <dt>Gets</dt>
        <dd>{eventsOf(webhook)}</dd>
      </div>
      <div>
        <dt>State</dt>
        <dd>
          <StateBadge webhook={webhook} />
          {webhook.disabledReason !== null && <p class="data-reason">{webhook.disabledReason}</p>}
          {webhook.enabled && webhook.failingSince !== null && (
            <p class="field-hint">
              Every attempt has failed since <Ago time={webhook.failingSince} />. After three days, the next
              delivery that is given up disables the webhook.
            </p>
          )}
        </dd>
      </div>
      {webhook.previousSecretUntil !== null && (
        <div>
          <dt>Secret</dt>
          <dd>
            The one before signs too, and ends <Ago time={webhook.previousSecretUntil} />.
          </dd>
        </div>
      )}
    </dl>
  );
}

type Open = "edit" | "remove" | null;

function Actions({ webhook, onOpen }: { webhook: Webhook; onOpen: (open: Open) => void }) {
  const change = useChangeWebhook(webhook.id);
  const [secret, setSecret] = useState<string | null>(null);
  const failed = ({ message }: Error): void => complain(message);
  const toggle = (): void =>
    change.mutate(
      { enabled: !webhook.enabled },
      {
        onSuccess: ({ enabled }) => notify(enabled ? "The webhook is enabled" : "The webhook is disabled"),
        onError: failed,
      },
    );
  const rotate = (): void =>
    change.mutate(
      { secret: "rotate" },
      { onSuccess: (changed) => setSecret(changed.secret ?? null), onError: failed },
    );
  return (
    <div class="webhook-actions">
      <Button small icon={<Pencil />} onClick={() => onOpen("edit")}>
        Change
      </Button>
      <Button small busy={change.isPending} onClick={toggle}>
        {webhook.enabled ? "Disable" : "Enable"}
      </Button>
      <Button small busy={change.isPending} onClick={rotate}>
        {webhook.hasSecret ? "Rotate secret" : "Make a secret"}
      </Button>
      <Button small kind="danger" onClick={() => onOpen("remove")}>
        Remove
      </Button>
      {secret !== null && (
        <SigningSecret
          title={`The new secret of ${titleOf(webhook)}`}
          secret={secret}
          isRotated={webhook.previousSecretUntil !== null}
          onClose={() => setSecret(null)}
        />
      )}
    </div>
  );
}

function Details({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <Card title="Webhook">
        <About webhook={webhook} />
        <Actions webhook={webhook} onOpen={setOpen} />
      </Card>
      <Card title="Deliveries">
        <Deliveries webhookId={webhook.id} canSend={webhook.enabled} />
      </Card>
      {open === "edit" && <EditWebhook webhook={webhook} onClose={close} />}
      {open === "remove" && <RemoveWebhook webhook={webhook} onClose={close} />}
    </>
  );
}

function PingButton({ webhook }: { webhook: Webhook }) {
  const { mutate, isPending } = usePing(webhook.id);
  const ping = (): void =>
    mutate(undefined, {
      onSuccess: () => notify("A ping is on its way"),
      onError: ({ message }) => complain(message),
    });
  return (
    <Button icon={<Send />} busy={isPending} disabled={!webhook.enabled} onClick={ping}>
      Ping
    </Button>
  );
}

export function WebhookPage() {
  const { id } = useParams<{ id: string }>();
  const { space } = useSession();
  const isAdmin = useMay("admin");
  const { data, error, refetch } = useWebhook(id);
  return (
    <Page
      title={data ? titleOf(data) : "Webhook"}
      above={<BackLink to={`/${space}/webhooks`} />}
      narrow
      actions={isAdmin && data && <PingButton webhook={data} />}
    >
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!error && (data ? <Details webhook={data} /> : <Skeleton lines={6} />)}
    </Page>
  );
}
