CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`models` text,
	`state` text NOT NULL,
	`disabled_reason` text,
	`disabled_at` integer,
	`secret` text,
	`previous_secret` text,
	`previous_until` integer,
	`cursor` integer NOT NULL,
	`failing_since` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_by_space` ON `webhooks` (`space_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`space_id` text NOT NULL,
	`event_no` integer,
	`type` text NOT NULL,
	`lane` text NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`attempts` text DEFAULT '[]' NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_due` ON `webhook_deliveries` (`webhook_id`,`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_lane` ON `webhook_deliveries` (`webhook_id`,`lane`,`event_no`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_space` ON `webhook_deliveries` (`space_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_age` ON `webhook_deliveries` (`created_at`);
