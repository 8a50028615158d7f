ALTER TABLE `masters` ADD `is_to_prebuild` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `masters_to_prebuild` ON `masters` (`space_id`,`media_id`) WHERE is_to_prebuild = 1;--> statement-breakpoint
ALTER TABLE `spaces` ADD `prebuild` text DEFAULT 'presets' NOT NULL;