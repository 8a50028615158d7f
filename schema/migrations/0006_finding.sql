ALTER TABLE `media` ADD `mime` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `width` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `height` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `animated` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `media` ADD `folded` text;--> statement-breakpoint
CREATE INDEX `media_by_filename` ON `media` (`space_id`,`filename`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `media_by_alt` ON `media` (`space_id`,`alt`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `media_by_mime` ON `media` (`space_id`,`mime`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `media_by_creation` ON `media` (`space_id`,`created_at`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `media_by_width` ON `media` (`space_id`,`width`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `media_by_height` ON `media` (`space_id`,`height`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `media_to_describe` ON `media` (`id`) WHERE folded IS NULL;--> statement-breakpoint
ALTER TABLE `models` ADD `label` text;--> statement-breakpoint
ALTER TABLE `models` ADD `description` text;--> statement-breakpoint
ALTER TABLE `models` ADD `title_field` integer;--> statement-breakpoint
ALTER TABLE `records` ADD `folded` text;--> statement-breakpoint
CREATE INDEX `records_to_fold` ON `records` (`seq`) WHERE folded IS NULL;