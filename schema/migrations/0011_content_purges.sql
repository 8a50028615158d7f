CREATE TRIGGER `content_purges_records_insert` AFTER INSERT ON `records`
WHEN NEW.`deleted_at` IS NULL
	AND EXISTS (SELECT 1 FROM `models` WHERE `id` = abs(NEW.`model_id`) AND `public` AND `drafts` = (NEW.`model_id` < 0)) BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || NEW.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_records_update` AFTER UPDATE OF `data`, `version`, `updated_at`, `deleted_at`, `published_at` ON `records`
WHEN (OLD.`deleted_at` IS NULL OR NEW.`deleted_at` IS NULL)
	AND EXISTS (SELECT 1 FROM `models` WHERE `id` = abs(NEW.`model_id`) AND `public` AND `drafts` = (NEW.`model_id` < 0)) BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || NEW.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_records_delete` AFTER DELETE ON `records`
WHEN OLD.`deleted_at` IS NULL
	AND EXISTS (SELECT 1 FROM `models` WHERE `id` = abs(OLD.`model_id`) AND `public` AND `drafts` = (OLD.`model_id` < 0)) BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || OLD.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_models_update` AFTER UPDATE OF `fields`, `drafts`, `public`, `version` ON `models`
WHEN OLD.`public` OR NEW.`public` BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || NEW.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_models_delete` AFTER DELETE ON `models`
WHEN OLD.`public` BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || OLD.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_media_update` AFTER UPDATE OF `filename`, `alt`, `focal_x`, `focal_y`, `master_version`, `updated_at`, `deleted_at` ON `media`
WHEN (OLD.`deleted_at` IS NULL OR NEW.`deleted_at` IS NULL)
	AND EXISTS (SELECT 1 FROM `models` WHERE `space_id` = NEW.`space_id` AND `public`) BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || NEW.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_media_delete` AFTER DELETE ON `media`
WHEN OLD.`deleted_at` IS NULL
	AND EXISTS (SELECT 1 FROM `models` WHERE `space_id` = OLD.`space_id` AND `public`) BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || OLD.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_masters_update` AFTER UPDATE OF `thumb_hash`, `dominant_color`, `suggested_focal_x`, `suggested_focal_y` ON `masters`
WHEN EXISTS (SELECT 1 FROM `models` WHERE `space_id` = NEW.`space_id` AND `public`) BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || NEW.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_spaces_update` AFTER UPDATE OF `name`, `removed_at`, `adaptive_loading`, `compression`, `quality`, `aspect_ratios`, `suggest_focal_point` ON `spaces`
WHEN EXISTS (SELECT 1 FROM `models` WHERE `space_id` = NEW.`id` AND `public`) BEGIN
	INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`)
	SELECT 'content:' || NEW.`id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true
	ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`,
		`change` = `change` + 1;
END;
