ALTER TABLE `masters` ADD `thumb_hash` text;--> statement-breakpoint
ALTER TABLE `masters` ADD `dominant_color` text;--> statement-breakpoint
ALTER TABLE `masters` ADD `placeholder_tries` integer DEFAULT 0;--> statement-breakpoint
CREATE INDEX `masters_by_placeholder` ON `masters` (`space_id`,`placeholder_tries`,media_id DESC) WHERE placeholder_tries IS NOT NULL AND purge_at IS NULL;