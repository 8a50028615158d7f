CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_space` ON `api_keys` (`space_id`,`id`);--> statement-breakpoint
CREATE TABLE `doomed_objects` (
	`key` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	`upload_id` text
);
--> statement-breakpoint
CREATE INDEX `doomed_by_due` ON `doomed_objects` (`due_at`);--> statement-breakpoint
CREATE TABLE `masters` (
	`media_id` text NOT NULL,
	`version` integer NOT NULL,
	`space_id` text NOT NULL,
	`file` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`facts` text NOT NULL,
	`created_at` integer NOT NULL,
	`purge_at` integer,
	PRIMARY KEY(`media_id`, `version`)
);
--> statement-breakpoint
CREATE INDEX `masters_by_space` ON `masters` (`space_id`);--> statement-breakpoint
CREATE INDEX `masters_by_purge` ON `masters` (`purge_at`) WHERE purge_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`filename` text NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`master_version` integer NOT NULL,
	`last_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`purge_at` integer
);
--> statement-breakpoint
CREATE INDEX `media_by_space` ON `media` (`space_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `media_trash_by_space` ON `media` (`space_id`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `media_by_purge` ON `media` (`purge_at`) WHERE purge_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `space_names` (
	`name` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `space_names_by_space` ON `space_names` (`space_id`);--> statement-breakpoint
CREATE TABLE `spaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`tenant_id` text,
	`trash_retention_days` integer NOT NULL,
	`adaptive_loading` integer DEFAULT true NOT NULL,
	`compression` integer DEFAULT true NOT NULL,
	`quality` integer DEFAULT 80 NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE TABLE `variants` (
	`media_id` text NOT NULL,
	`version` integer NOT NULL,
	`file` text NOT NULL,
	`space_id` text NOT NULL,
	`encoder_version` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`media_id`, `version`, `file`)
);
--> statement-breakpoint
CREATE INDEX `variants_by_expiry` ON `variants` (`expires_at`);--> statement-breakpoint
CREATE INDEX `variants_by_space` ON `variants` (`space_id`);