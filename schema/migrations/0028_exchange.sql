CREATE TABLE `new_media` (
	`id` text NOT NULL,
	`space_id` text NOT NULL,
	`filename` text NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`master_version` integer NOT NULL,
	`last_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`purge_at` integer,
	`focal_x` integer,
	`focal_y` integer,
	`mime` text DEFAULT '' NOT NULL,
	`width` integer DEFAULT 0 NOT NULL,
	`height` integer DEFAULT 0 NOT NULL,
	`animated` integer DEFAULT false NOT NULL,
	`folded` text,
	`words` text,
	`seq` integer,
	`alts` text,
	`created_by` text,
	`updated_by` text,
	PRIMARY KEY(`space_id`, `id`)
);
--> statement-breakpoint
INSERT INTO `new_media` (`id`, `space_id`, `filename`, `alt`, `master_version`, `last_version`, `created_at`, `updated_at`, `deleted_at`, `purge_at`, `focal_x`, `focal_y`, `mime`, `width`, `height`, `animated`, `folded`, `words`, `seq`, `alts`, `created_by`, `updated_by`) SELECT `id`, `space_id`, `filename`, `alt`, `master_version`, `last_version`, `created_at`, `updated_at`, `deleted_at`, `purge_at`, `focal_x`, `focal_y`, `mime`, `width`, `height`, `animated`, `folded`, `words`, `seq`, `alts`, `created_by`, `updated_by` FROM `media` ORDER BY rowid;
--> statement-breakpoint
DROP TABLE `media`;
--> statement-breakpoint
ALTER TABLE `new_media` RENAME TO `media`;
--> statement-breakpoint
CREATE INDEX `media_by_space` ON `media` (`space_id`,`id`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `media_trash_by_space` ON `media` (`space_id`,`id`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `media_by_purge` ON `media` (`purge_at`) WHERE purge_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `media_trash_by_deletion` ON `media` (`space_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `media_by_filename` ON `media` (`space_id`,`filename`,`id`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `media_by_alt` ON `media` (`space_id`,`alt`,`id`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `media_by_mime` ON `media` (`space_id`,`mime`,`id`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `media_by_creation` ON `media` (`space_id`,`created_at`,`id`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `media_by_width` ON `media` (`space_id`,`width`,`id`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `media_by_height` ON `media` (`space_id`,`height`,`id`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `media_to_describe` ON `media` (`id`) WHERE folded IS NULL;
--> statement-breakpoint
CREATE INDEX `media_without_words` ON `media` (`id`) WHERE words IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `media_by_seq` ON `media` (`seq`);
--> statement-breakpoint
CREATE TRIGGER `space_totals_media_insert` AFTER INSERT ON `media` BEGIN INSERT INTO `space_totals` (`space_id`, `media`, `trashed_media`) VALUES (NEW.`space_id`, NEW.`deleted_at` IS NULL, NEW.`deleted_at` IS NOT NULL) ON CONFLICT (`space_id`) DO UPDATE SET `media` = `media` + excluded.`media`, `trashed_media` = `trashed_media` + excluded.`trashed_media`; END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_media_update` AFTER UPDATE OF `deleted_at` ON `media` WHEN (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN UPDATE `space_totals` SET `media` = `media` + (NEW.`deleted_at` IS NULL) - (OLD.`deleted_at` IS NULL), `trashed_media` = `trashed_media` + (NEW.`deleted_at` IS NOT NULL) - (OLD.`deleted_at` IS NOT NULL) WHERE `space_id` = NEW.`space_id`; END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_media_delete` AFTER DELETE ON `media` BEGIN UPDATE `space_totals` SET `media` = `media` - (OLD.`deleted_at` IS NULL), `trashed_media` = `trashed_media` - (OLD.`deleted_at` IS NOT NULL) WHERE `space_id` = OLD.`space_id`; END;
--> statement-breakpoint
CREATE TRIGGER `media_search_insert` AFTER INSERT ON `media` BEGIN UPDATE `media` SET `seq` = (SELECT coalesce(max(`seq`), 0) + 1 FROM `media`) WHERE `rowid` = NEW.`rowid`; INSERT INTO `media_search` (`rowid`, `words`) SELECT `seq`, replace(' ' || (`words` ->> 0) || ' ' || (`words` ->> 1), ' ', ' ' || `space_id`) FROM `media` WHERE `rowid` = NEW.`rowid` AND `words` IS NOT NULL AND `deleted_at` IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER `media_search_update` AFTER UPDATE OF `words`, `deleted_at` ON `media` WHEN OLD.`words` IS NOT NEW.`words` OR (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN DELETE FROM `media_search` WHERE `rowid` = OLD.`seq`; INSERT INTO `media_search` (`rowid`, `words`) SELECT NEW.`seq`, replace(' ' || (NEW.`words` ->> 0) || ' ' || (NEW.`words` ->> 1), ' ', ' ' || NEW.`space_id`) WHERE NEW.`words` IS NOT NULL AND NEW.`deleted_at` IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER `media_search_delete` AFTER DELETE ON `media` BEGIN DELETE FROM `media_search` WHERE `rowid` = OLD.`seq`; END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_media_update` AFTER UPDATE OF `filename`, `alt`, `focal_x`, `focal_y`, `master_version`, `updated_at`, `deleted_at` ON `media` WHEN (OLD.`deleted_at` IS NULL OR NEW.`deleted_at` IS NULL) AND EXISTS (SELECT 1 FROM `models` WHERE `space_id` = NEW.`space_id` AND `public`) BEGIN INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`) SELECT 'content:' || NEW.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`, `change` = `change` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_media_delete` AFTER DELETE ON `media` WHEN OLD.`deleted_at` IS NULL AND EXISTS (SELECT 1 FROM `models` WHERE `space_id` = OLD.`space_id` AND `public`) BEGIN INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`) SELECT 'content:' || OLD.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`, `change` = `change` + 1; END;
--> statement-breakpoint
CREATE TABLE `new_masters` (
	`media_id` text NOT NULL,
	`version` integer NOT NULL,
	`space_id` text NOT NULL,
	`file` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`facts` text NOT NULL,
	`created_at` integer NOT NULL,
	`purge_at` integer,
	`thumb_hash` text,
	`dominant_color` text,
	`placeholder_tries` integer DEFAULT 0,
	`suggested_focal_x` integer,
	`suggested_focal_y` integer,
	`is_to_prebuild` integer DEFAULT false NOT NULL,
	`missing_at` integer,
	PRIMARY KEY(`space_id`, `media_id`, `version`)
);
--> statement-breakpoint
INSERT INTO `new_masters` (`media_id`, `version`, `space_id`, `file`, `size_bytes`, `sha256`, `facts`, `created_at`, `purge_at`, `thumb_hash`, `dominant_color`, `placeholder_tries`, `suggested_focal_x`, `suggested_focal_y`, `is_to_prebuild`, `missing_at`) SELECT `media_id`, `version`, `space_id`, `file`, `size_bytes`, `sha256`, `facts`, `created_at`, `purge_at`, `thumb_hash`, `dominant_color`, `placeholder_tries`, `suggested_focal_x`, `suggested_focal_y`, `is_to_prebuild`, `missing_at` FROM `masters` ORDER BY rowid;
--> statement-breakpoint
DROP TABLE `masters`;
--> statement-breakpoint
ALTER TABLE `new_masters` RENAME TO `masters`;
--> statement-breakpoint
CREATE INDEX `masters_by_space` ON `masters` (`space_id`);
--> statement-breakpoint
CREATE INDEX `masters_by_purge` ON `masters` (`purge_at`) WHERE purge_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `masters_by_placeholder` ON `masters` (`space_id`,`placeholder_tries`,media_id DESC) WHERE placeholder_tries IS NOT NULL AND purge_at IS NULL;
--> statement-breakpoint
CREATE INDEX `masters_to_prebuild` ON `masters` (`space_id`,`media_id`) WHERE is_to_prebuild = 1;
--> statement-breakpoint
CREATE INDEX `masters_missing` ON `masters` (`missing_at`) WHERE missing_at IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `space_totals_masters_insert` AFTER INSERT ON `masters` BEGIN INSERT INTO `space_totals` (`space_id`, `master_bytes`) VALUES (NEW.`space_id`, NEW.`size_bytes`) ON CONFLICT (`space_id`) DO UPDATE SET `master_bytes` = `master_bytes` + excluded.`master_bytes`; END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_masters_delete` AFTER DELETE ON `masters` BEGIN UPDATE `space_totals` SET `master_bytes` = `master_bytes` - OLD.`size_bytes` WHERE `space_id` = OLD.`space_id`; END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_masters_update` AFTER UPDATE OF `thumb_hash`, `dominant_color`, `suggested_focal_x`, `suggested_focal_y` ON `masters` WHEN EXISTS (SELECT 1 FROM `models` WHERE `space_id` = NEW.`space_id` AND `public`) BEGIN INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`) SELECT 'content:' || NEW.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`, `change` = `change` + 1; END;
--> statement-breakpoint
CREATE TABLE `new_variants` (
	`media_id` text NOT NULL,
	`version` integer NOT NULL,
	`file` text NOT NULL,
	`space_id` text NOT NULL,
	`encoder_version` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`has_requested_focal_point` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`space_id`, `media_id`, `version`, `file`)
);
--> statement-breakpoint
INSERT INTO `new_variants` (`media_id`, `version`, `file`, `space_id`, `encoder_version`, `size_bytes`, `created_at`, `expires_at`, `has_requested_focal_point`) SELECT `media_id`, `version`, `file`, `space_id`, `encoder_version`, `size_bytes`, `created_at`, `expires_at`, `has_requested_focal_point` FROM `variants` ORDER BY rowid;
--> statement-breakpoint
DROP TABLE `variants`;
--> statement-breakpoint
ALTER TABLE `new_variants` RENAME TO `variants`;
--> statement-breakpoint
CREATE INDEX `variants_by_expiry` ON `variants` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `variants_by_space` ON `variants` (`space_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `variants_by_file` ON `variants` (`media_id`,`version`,`file`);
--> statement-breakpoint
CREATE TRIGGER `space_totals_variants_insert` AFTER INSERT ON `variants` BEGIN INSERT INTO `space_totals` (`space_id`, `variants`, `variant_bytes`) VALUES (NEW.`space_id`, 1, NEW.`size_bytes`) ON CONFLICT (`space_id`) DO UPDATE SET `variants` = `variants` + 1, `variant_bytes` = `variant_bytes` + excluded.`variant_bytes`; END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_variants_update` AFTER UPDATE OF `size_bytes` ON `variants` BEGIN UPDATE `space_totals` SET `variant_bytes` = `variant_bytes` - OLD.`size_bytes` + NEW.`size_bytes` WHERE `space_id` = NEW.`space_id`; END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_variants_delete` AFTER DELETE ON `variants` BEGIN UPDATE `space_totals` SET `variants` = `variants` - 1, `variant_bytes` = `variant_bytes` - OLD.`size_bytes` WHERE `space_id` = OLD.`space_id`; END;
--> statement-breakpoint
CREATE TABLE `waiting_media` (
	`space_id` text NOT NULL,
	`media_id` text NOT NULL,
	`sha256` text NOT NULL,
	`line` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`space_id`, `media_id`)
);
--> statement-breakpoint
CREATE INDEX `waiting_media_by_expiry` ON `waiting_media` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `backups` (
	`id` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`space_name` text NOT NULL,
	`state` text NOT NULL,
	`cursor` text,
	`parts` integer DEFAULT 0 NOT NULL,
	`lines` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`masters` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`reason` text
);
--> statement-breakpoint
CREATE INDEX `backups_by_space` ON `backups` (`space_id`,`id`);
--> statement-breakpoint
CREATE INDEX `backups_to_do` ON `backups` (`state`,`id`) WHERE state IN ('working', 'removing');
--> statement-breakpoint
CREATE TABLE `backup_masters` (
	`space_id` text NOT NULL,
	`media_id` text NOT NULL,
	`version` integer NOT NULL,
	`file` text NOT NULL,
	`last_backup` text NOT NULL,
	PRIMARY KEY(`space_id`, `media_id`, `version`)
);
--> statement-breakpoint
CREATE INDEX `backup_masters_by_space` ON `backup_masters` (`space_id`);
--> statement-breakpoint
CREATE INDEX `backup_masters_by_backup` ON `backup_masters` (`last_backup`);
