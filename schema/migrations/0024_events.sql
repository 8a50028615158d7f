CREATE TABLE `events` (
	`no` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`space_id` text NOT NULL,
	`at` integer NOT NULL,
	`request_id` text,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`action` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`target_model` text,
	`facts` text DEFAULT '{}' NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`hour` integer
);
--> statement-breakpoint
CREATE INDEX `events_by_space` ON `events` (`space_id`);--> statement-breakpoint
CREATE INDEX `events_by_time` ON `events` (`space_id`,`at`);--> statement-breakpoint
CREATE INDEX `events_by_actor` ON `events` (`space_id`,`actor_id`,`at`);--> statement-breakpoint
CREATE INDEX `events_by_action` ON `events` (`space_id`,`action`,`at`);--> statement-breakpoint
CREATE INDEX `events_by_target` ON `events` (`space_id`,`target_id`,`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_refused` ON `events` (`space_id`,`actor_id`,`action`,`hour`) WHERE hour IS NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `media` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `record_versions` ADD `actor_kind` text;--> statement-breakpoint
ALTER TABLE `records` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `records` ADD `updated_by` text;
