/** The dialogs that make, change and remove a webhook. */
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import {
  useChangeWebhook,
  useCreateWebhook,
  useRemoveWebhook,
  type Webhook,
  type WebhookValues,
} from "../api/webhooks.ts";
import { useSession } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { notify } from "../ui/toast.tsx";
import { SigningSecret } from "./secret.tsx";
import { NEW_WEBHOOK, WebhookForm } from "./webhook-form.tsx";

/** Returns a webhook's name, or its host. */
export const titleOf = ({ name, url }: Pick<Webhook, "name" | "url">): string => name || new URL(url).host;

const trimmed = (values: WebhookValues): WebhookValues => ({
  ...values,
  url: values.url.trim(),
  name: values.name.trim(),
});

const FORM = "webhook-form";

export function NewWebhook({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState(NEW_WEBHOOK);
  const { mutate, isPending, error, data } = useCreateWebhook();
  if (data)
    return <SigningSecret title={`The webhook ${titleOf(data)}`} secret={data.secret} onClose={onClose} />;
  return (
    <Dialog
      title="Make a webhook"
      onClose={onClose}
      actions={
        <Button kind="solid" type="submit" form={FORM} busy={isPending}>
          Create webhook
        </Button>
      }
    >
      <WebhookForm
        id={FORM}
        values={values}
        onChange={setValues}
        error={error}
        onSubmit={() => mutate(trimmed(values))}
      />
    </Dialog>
  );
}

export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { url, name, events, models } = webhook;
  const [values, setValues] = useState<WebhookValues>({ url, name, events, models });
  const { mutate, isPending, error } = useChangeWebhook(webhook.id);
  const save = (): void =>
    mutate(trimmed(values), {
      onSuccess: () => {
        notify("The webhook is saved");
        onClose();
      },
    });
  return (
    <Dialog
      title={`Change ${titleOf(webhook)}`}
      onClose={onClose}
      actions={
        <Button kind="solid" type="submit" form={FORM} busy={isPending}>
          Save webhook
        </Button>
      }
    >
      <WebhookForm id={FORM} values={values} onChange={setValues} error={error} onSubmit={save} />
    </Dialog>
  );
}

export function RemoveWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { space } = useSession();
  const [, go] = useLocation();
  const { mutate, isPending, error } = useRemoveWebhook();
  const remove = (): void =>
    mutate(webhook, {
      onSuccess: () => {
        notify(`${titleOf(webhook)} is removed`);
        go(`/${space}/webhooks`);
      },
    });
  return (
    <Dialog
      title={`Remove ${titleOf(webhook)}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={isPending} onClick={remove}>
            Yes, remove
          </Button>
        </>
      }
    >
      <p>The service sends it nothing more, and deletes the list of its deliveries. This cannot be undone.</p>
      {error && (
        <p class="form-faults" role="alert">
          {error.message}
        </p>
      )}
    </Dialog>
  );
}
