CREATE TABLE `record_versions` (
	`record` integer NOT NULL,
	`no` integer NOT NULL,
	`version` integer NOT NULL,
	`event` text NOT NULL,
	`is_content` integer NOT NULL,
	`created_at` integer NOT NULL,
	`key_id` text,
	`key_name` text,
	`changed` text NOT NULL,
	`purge_at` integer,
	`data` text,
	PRIMARY KEY(`record`, `no`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_versions_by_version` ON `record_versions` (`record`,`version`) WHERE is_content = 1;--> statement-breakpoint
CREATE INDEX `record_versions_by_purge` ON `record_versions` (`purge_at`) WHERE purge_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `models` ADD `drafts` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `records` ADD `published_version` integer;--> statement-breakpoint
ALTER TABLE `records` ADD `published_at` integer;--> statement-breakpoint
ALTER TABLE `records` ADD `publish_at` integer;--> statement-breakpoint
ALTER TABLE `records` ADD `unpublish_at` integer;--> statement-breakpoint
CREATE INDEX `records_to_publish` ON `records` (`publish_at`) WHERE publish_at IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `records_to_unpublish` ON `records` (`unpublish_at`) WHERE unpublish_at IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `spaces` ADD `history_days` integer DEFAULT 30 NOT NULL;--> statement-breakpoint
DROP TRIGGER `space_totals_records_insert`;
--> statement-breakpoint
DROP TRIGGER `space_totals_records_update`;
--> statement-breakpoint
DROP TRIGGER `space_totals_records_delete`;
--> statement-breakpoint
CREATE TRIGGER `space_totals_records_insert` AFTER INSERT ON `records` WHEN NEW.`model_id` > 0 BEGIN
	INSERT INTO `space_totals` (`space_id`, `records`, `trashed_records`)
	VALUES (NEW.`space_id`, NEW.`deleted_at` IS NULL, NEW.`deleted_at` IS NOT NULL)
	ON CONFLICT (`space_id`) DO UPDATE SET
		`records` = `records` + excluded.`records`, `trashed_records` = `trashed_records` + excluded.`trashed_records`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_records_update` AFTER UPDATE OF `deleted_at` ON `records`
WHEN NEW.`model_id` > 0 AND (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN
	UPDATE `space_totals` SET
		`records` = `records` + (NEW.`deleted_at` IS NULL) - (OLD.`deleted_at` IS NULL),
		`trashed_records` = `trashed_records` + (NEW.`deleted_at` IS NOT NULL) - (OLD.`deleted_at` IS NOT NULL)
	WHERE `space_id` = NEW.`space_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_records_delete` AFTER DELETE ON `records` WHEN OLD.`model_id` > 0 BEGIN
	UPDATE `space_totals` SET
		`records` = `records` - (OLD.`deleted_at` IS NULL), `trashed_records` = `trashed_records` - (OLD.`deleted_at` IS NOT NULL)
	WHERE `space_id` = OLD.`space_id`;
END;
