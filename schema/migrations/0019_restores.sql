CREATE TABLE `storage_checks` (
	`id` integer PRIMARY KEY NOT NULL,
	`runs` integer DEFAULT 0 NOT NULL,
	`restored_at` integer,
	`is_held` integer DEFAULT false NOT NULL,
	`masters_after` text DEFAULT '' NOT NULL,
	`listed_after` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
ALTER TABLE `doomed_objects` ADD `found_at` integer;--> statement-breakpoint
CREATE INDEX `doomed_found` ON `doomed_objects` (`found_at`) WHERE found_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `masters` ADD `missing_at` integer;--> statement-breakpoint
CREATE INDEX `masters_missing` ON `masters` (`missing_at`) WHERE missing_at IS NOT NULL;
