/** The entrypoint that delivers, which only does so while a test says so: others make the rounds themselves. */
import { WebhookSender as RealSender } from "../../../../src/edge/webhooks/webhook-sender.ts";
import type { DueWebhook } from "../../../../src/edge/storage/webhooks/deliveries.ts";

export const rounds = {
  areReal: false,
  /** The webhooks whose rounds were started. */
  started: [] as DueWebhook[],
  reset(): void {
    this.areReal = false;
    this.started = [];
  },
};

export class WebhookSender extends RealSender {
  override start(webhook: DueWebhook): Promise<void> {
    rounds.started.push(webhook);
    return rounds.areReal ? super.start(webhook) : Promise.resolve();
  }
}
