CREATE TABLE `doomed_fields` (
	`model_id` integer NOT NULL,
	`field` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`model_id`, `field`)
);
--> statement-breakpoint
CREATE TABLE `models` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`space_id` text NOT NULL,
	`type_model` text NOT NULL,
	`name` text NOT NULL,
	`fields` text NOT NULL,
	`last_field` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `models_by_name` ON `models` (`space_id`,`type_model`,`name`);--> statement-breakpoint
CREATE TABLE `record_uniques` (
	`model_id` integer NOT NULL,
	`field` integer NOT NULL,
	`value` blob NOT NULL,
	`record` integer NOT NULL,
	PRIMARY KEY(`model_id`, `field`, `value`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `record_uniques_by_record` ON `record_uniques` (`record`,`field`);--> statement-breakpoint
CREATE TABLE `record_values` (
	`model_id` integer NOT NULL,
	`field` integer NOT NULL,
	`value` blob NOT NULL,
	`record` integer NOT NULL,
	PRIMARY KEY(`model_id`, `field`, `value`, `record`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `record_values_by_record` ON `record_values` (`record`,`field`);--> statement-breakpoint
CREATE TABLE `records` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`model_id` integer NOT NULL,
	`space_id` text NOT NULL,
	`id` text NOT NULL,
	`data` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`purge_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `records_by_id` ON `records` (`model_id`,`id`);--> statement-breakpoint
CREATE INDEX `records_by_creation` ON `records` (`model_id`,`created_at`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `records_by_update` ON `records` (`model_id`,`updated_at`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `records_trash_by_space` ON `records` (`space_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `records_trash_by_id` ON `records` (`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `records_by_purge` ON `records` (`purge_at`) WHERE purge_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `media_trash_by_deletion` ON `media` (`space_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;