/** The state of a webhook as a badge. */
import type { Webhook } from "../api/webhooks.ts";

export function StateBadge({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled) return <span class="badge badge-bad">disabled</span>;
  if (webhook.failingSince !== null) return <span class="badge badge-warn">failing</span>;
  return <span class="badge badge-good">enabled</span>;
}
