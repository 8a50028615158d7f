CREATE TABLE `space_totals` (
	`space_id` text PRIMARY KEY NOT NULL,
	`media` integer DEFAULT 0 NOT NULL,
	`trashed_media` integer DEFAULT 0 NOT NULL,
	`records` integer DEFAULT 0 NOT NULL,
	`trashed_records` integer DEFAULT 0 NOT NULL,
	`master_bytes` integer DEFAULT 0 NOT NULL,
	`variants` integer DEFAULT 0 NOT NULL,
	`variant_bytes` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
INSERT INTO `space_totals` (
	`space_id`, `media`, `trashed_media`, `records`, `trashed_records`, `master_bytes`, `variants`, `variant_bytes`
)
SELECT s.`id`,
	(SELECT count(*) FROM `media` m WHERE m.`space_id` = s.`id` AND m.`deleted_at` IS NULL),
	(SELECT count(*) FROM `media` m WHERE m.`space_id` = s.`id` AND m.`deleted_at` IS NOT NULL),
	(SELECT count(*) FROM `records` r WHERE r.`space_id` = s.`id` AND r.`deleted_at` IS NULL),
	(SELECT count(*) FROM `records` r WHERE r.`space_id` = s.`id` AND r.`deleted_at` IS NOT NULL),
	(SELECT coalesce(sum(`size_bytes`), 0) FROM `masters` ma WHERE ma.`space_id` = s.`id`),
	(SELECT count(*) FROM `variants` v WHERE v.`space_id` = s.`id`),
	(SELECT coalesce(sum(`size_bytes`), 0) FROM `variants` v WHERE v.`space_id` = s.`id`)
FROM `spaces` s;
--> statement-breakpoint
CREATE TRIGGER `space_totals_media_insert` AFTER INSERT ON `media` BEGIN
	INSERT INTO `space_totals` (`space_id`, `media`, `trashed_media`)
	VALUES (NEW.`space_id`, NEW.`deleted_at` IS NULL, NEW.`deleted_at` IS NOT NULL)
	ON CONFLICT (`space_id`) DO UPDATE SET
		`media` = `media` + excluded.`media`, `trashed_media` = `trashed_media` + excluded.`trashed_media`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_media_update` AFTER UPDATE OF `deleted_at` ON `media`
WHEN (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN
	UPDATE `space_totals` SET
		`media` = `media` + (NEW.`deleted_at` IS NULL) - (OLD.`deleted_at` IS NULL),
		`trashed_media` = `trashed_media` + (NEW.`deleted_at` IS NOT NULL) - (OLD.`deleted_at` IS NOT NULL)
	WHERE `space_id` = NEW.`space_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_media_delete` AFTER DELETE ON `media` BEGIN
	UPDATE `space_totals` SET
		`media` = `media` - (OLD.`deleted_at` IS NULL), `trashed_media` = `trashed_media` - (OLD.`deleted_at` IS NOT NULL)
	WHERE `space_id` = OLD.`space_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_records_insert` AFTER INSERT ON `records` BEGIN
	INSERT INTO `space_totals` (`space_id`, `records`, `trashed_records`)
	VALUES (NEW.`space_id`, NEW.`deleted_at` IS NULL, NEW.`deleted_at` IS NOT NULL)
	ON CONFLICT (`space_id`) DO UPDATE SET
		`records` = `records` + excluded.`records`, `trashed_records` = `trashed_records` + excluded.`trashed_records`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_records_update` AFTER UPDATE OF `deleted_at` ON `records`
WHEN (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN
	UPDATE `space_totals` SET
		`records` = `records` + (NEW.`deleted_at` IS NULL) - (OLD.`deleted_at` IS NULL),
		`trashed_records` = `trashed_records` + (NEW.`deleted_at` IS NOT NULL) - (OLD.`deleted_at` IS NOT NULL)
	WHERE `space_id` = NEW.`space_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_records_delete` AFTER DELETE ON `records` BEGIN
	UPDATE `space_totals` SET
		`records` = `records` - (OLD.`deleted_at` IS NULL), `trashed_records` = `trashed_records` - (OLD.`deleted_at` IS NOT NULL)
	WHERE `space_id` = OLD.`space_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_masters_insert` AFTER INSERT ON `masters` BEGIN
	INSERT INTO `space_totals` (`space_id`, `master_bytes`) VALUES (NEW.`space_id`, NEW.`size_bytes`)
	ON CONFLICT (`space_id`) DO UPDATE SET `master_bytes` = `master_bytes` + excluded.`master_bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_masters_delete` AFTER DELETE ON `masters` BEGIN
	UPDATE `space_totals` SET `master_bytes` = `master_bytes` - OLD.`size_bytes` WHERE `space_id` = OLD.`space_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_variants_insert` AFTER INSERT ON `variants` BEGIN
	INSERT INTO `space_totals` (`space_id`, `variants`, `variant_bytes`) VALUES (NEW.`space_id`, 1, NEW.`size_bytes`)
	ON CONFLICT (`space_id`) DO UPDATE SET
		`variants` = `variants` + 1, `variant_bytes` = `variant_bytes` + excluded.`variant_bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_variants_update` AFTER UPDATE OF `size_bytes` ON `variants` BEGIN
	UPDATE `space_totals` SET `variant_bytes` = `variant_bytes` - OLD.`size_bytes` + NEW.`size_bytes`
	WHERE `space_id` = NEW.`space_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_variants_delete` AFTER DELETE ON `variants` BEGIN
	UPDATE `space_totals` SET `variants` = `variants` - 1, `variant_bytes` = `variant_bytes` - OLD.`size_bytes`
	WHERE `space_id` = OLD.`space_id`;
END;
