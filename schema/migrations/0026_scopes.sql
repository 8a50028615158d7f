ALTER TABLE `api_keys` ADD `scopes` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `maker_kind` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `maker_id` text;--> statement-breakpoint
CREATE INDEX `api_keys_by_maker` ON `api_keys` (`space_id`,`maker_id`);--> statement-breakpoint
CREATE TABLE `preview_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`scopes` text,
	`maker_kind` text NOT NULL,
	`maker_id` text NOT NULL,
	`maker_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `preview_tokens_by_maker` ON `preview_tokens` (`space_id`,`maker_id`);--> statement-breakpoint
CREATE INDEX `preview_tokens_by_expiry` ON `preview_tokens` (`expires_at`);
