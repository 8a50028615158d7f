CREATE TABLE `record_locale_versions` (
	`record` integer NOT NULL,
	`locale` integer NOT NULL,
	`version` integer NOT NULL,
	`until` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`record`, `locale`, `version`)
);
--> statement-breakpoint
CREATE TABLE `record_locales` (
	`record` integer NOT NULL,
	`locale` integer NOT NULL,
	`model_id` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`folded` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`record`, `locale`)
);
--> statement-breakpoint
CREATE INDEX `record_locales_by_model` ON `record_locales` (`model_id`,`locale`,`record`);--> statement-breakpoint
ALTER TABLE `records` ADD `locales` text;--> statement-breakpoint
ALTER TABLE `records` ADD `locale_plan_at` integer;--> statement-breakpoint
CREATE INDEX `records_by_locale_plan` ON `records` (`locale_plan_at`) WHERE locale_plan_at IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `spaces` ADD `locales` text;--> statement-breakpoint
ALTER TABLE `media` ADD `alts` text;--> statement-breakpoint
CREATE TRIGGER `record_search_shared_insert` AFTER INSERT ON `records` WHEN NEW.`deleted_at` IS NULL AND NEW.`folded` ->> 'shared' <> '' BEGIN INSERT INTO `record_search` (`rowid`, `words`) SELECT NEW.`seq` + 9007199254740992000, replace(' ' || (NEW.`folded` ->> 'shared'), ' ', ' ' || replace(NEW.`model_id`, '-', 'n') || 'l' || '1000' || 'm') WHERE NEW.`deleted_at` IS NULL AND NEW.`folded` ->> 'shared' <> ''; END;
--> statement-breakpoint
CREATE TRIGGER `record_search_shared_update` AFTER UPDATE OF `folded`, `deleted_at` ON `records` WHEN coalesce(OLD.`folded` ->> 'shared', '') <> coalesce(NEW.`folded` ->> 'shared', '') OR ((OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) AND (NEW.`locales` IS NOT NULL OR NEW.`folded` ->> 'shared' <> '')) BEGIN DELETE FROM `record_search` WHERE `rowid` = OLD.`seq` + 9007199254740992000; DELETE FROM `record_search` WHERE `rowid` IN (SELECT l.`record` + l.`locale` * 9007199254740992 FROM `record_locales` l WHERE l.`record` = OLD.`seq`); INSERT INTO `record_search` (`rowid`, `words`) SELECT NEW.`seq` + 9007199254740992000, replace(' ' || (NEW.`folded` ->> 'shared'), ' ', ' ' || replace(NEW.`model_id`, '-', 'n') || 'l' || '1000' || 'm') WHERE NEW.`deleted_at` IS NULL AND NEW.`folded` ->> 'shared' <> ''; INSERT INTO `record_search` (`rowid`, `words`) SELECT l.`record` + l.`locale` * 9007199254740992, replace(' ' || ((l.`folded` ->> 'words') || coalesce(' ' || nullif(r.`folded` ->> 'shared', ''), '')), ' ', ' ' || replace(l.`model_id`, '-', 'n') || 'l' || l.`locale` || 'm') FROM `record_locales` l JOIN `records` r ON r.`seq` = l.`record` WHERE l.`record` = NEW.`seq` AND r.`deleted_at` IS NULL AND l.`folded` ->> 'words' <> ''; END;
--> statement-breakpoint
CREATE TRIGGER `record_search_shared_delete` AFTER DELETE ON `records` WHEN OLD.`folded` ->> 'shared' <> '' BEGIN DELETE FROM `record_search` WHERE `rowid` = OLD.`seq` + 9007199254740992000; END;
--> statement-breakpoint
CREATE TRIGGER `record_locales_search_insert` AFTER INSERT ON `record_locales` WHEN NEW.`folded` ->> 'words' <> '' BEGIN INSERT INTO `record_search` (`rowid`, `words`) SELECT l.`record` + l.`locale` * 9007199254740992, replace(' ' || ((l.`folded` ->> 'words') || coalesce(' ' || nullif(r.`folded` ->> 'shared', ''), '')), ' ', ' ' || replace(l.`model_id`, '-', 'n') || 'l' || l.`locale` || 'm') FROM `record_locales` l JOIN `records` r ON r.`seq` = l.`record` WHERE l.`record` = NEW.`record` AND l.`locale` = NEW.`locale` AND r.`deleted_at` IS NULL AND l.`folded` ->> 'words' <> ''; END;
--> statement-breakpoint
CREATE TRIGGER `record_locales_search_update` AFTER UPDATE OF `folded` ON `record_locales` WHEN coalesce(OLD.`folded` ->> 'words', '') <> coalesce(NEW.`folded` ->> 'words', '') BEGIN DELETE FROM `record_search` WHERE `rowid` = OLD.`record` + OLD.`locale` * 9007199254740992; INSERT INTO `record_search` (`rowid`, `words`) SELECT l.`record` + l.`locale` * 9007199254740992, replace(' ' || ((l.`folded` ->> 'words') || coalesce(' ' || nullif(r.`folded` ->> 'shared', ''), '')), ' ', ' ' || replace(l.`model_id`, '-', 'n') || 'l' || l.`locale` || 'm') FROM `record_locales` l JOIN `records` r ON r.`seq` = l.`record` WHERE l.`record` = NEW.`record` AND l.`locale` = NEW.`locale` AND r.`deleted_at` IS NULL AND l.`folded` ->> 'words' <> ''; END;
--> statement-breakpoint
CREATE TRIGGER `record_locales_search_delete` AFTER DELETE ON `record_locales` WHEN OLD.`folded` ->> 'words' <> '' BEGIN DELETE FROM `record_search` WHERE `rowid` = OLD.`record` + OLD.`locale` * 9007199254740992; END;
--> statement-breakpoint
CREATE TRIGGER `record_locales_of_record` AFTER DELETE ON `records` BEGIN DELETE FROM `record_locales` WHERE `record` = OLD.`seq`; DELETE FROM `record_locale_versions` WHERE `record` = OLD.`seq`; END;
--> statement-breakpoint
CREATE TRIGGER `record_locale_versions_delete` AFTER DELETE ON `record_versions` WHEN OLD.`is_content` = 1 BEGIN DELETE FROM `record_locale_versions` WHERE `record` = OLD.`record` AND NOT EXISTS (SELECT 1 FROM `record_versions` v WHERE v.`record` = `record_locale_versions`.`record` AND v.`is_content` = 1 AND v.`version` >= `record_locale_versions`.`version` AND v.`version` < `record_locale_versions`.`until`); END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_record_locales_insert` AFTER INSERT ON `record_locales` WHEN EXISTS (SELECT 1 FROM `models` WHERE `id` = abs(NEW.`model_id`) AND `public` AND `drafts` = (NEW.`model_id` < 0)) BEGIN INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`) SELECT 'content:' || r.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 FROM `records` r WHERE r.`seq` = NEW.`record` ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`, `change` = `change` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_record_locales_update` AFTER UPDATE OF `data` ON `record_locales` WHEN EXISTS (SELECT 1 FROM `models` WHERE `id` = abs(NEW.`model_id`) AND `public` AND `drafts` = (NEW.`model_id` < 0)) BEGIN INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`) SELECT 'content:' || r.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 FROM `records` r WHERE r.`seq` = NEW.`record` ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`, `change` = `change` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_record_locales_delete` AFTER DELETE ON `record_locales` WHEN EXISTS (SELECT 1 FROM `models` WHERE `id` = abs(OLD.`model_id`) AND `public` AND `drafts` = (OLD.`model_id` < 0)) BEGIN INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`) SELECT 'content:' || r.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 FROM `records` r WHERE r.`seq` = OLD.`record` ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`, `change` = `change` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_locales_update` AFTER UPDATE OF `locales` ON `records` WHEN NEW.`deleted_at` IS NULL AND OLD.`locales` IS NOT NEW.`locales` AND EXISTS (SELECT 1 FROM `models` WHERE `id` = abs(NEW.`model_id`) AND `public` AND `drafts` = (NEW.`model_id` < 0)) BEGIN INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`) SELECT 'content:' || r.`space_id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 FROM `records` r WHERE r.`seq` = NEW.`seq` ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`, `change` = `change` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `content_purges_space_locales` AFTER UPDATE OF `locales` ON `spaces` WHEN EXISTS (SELECT 1 FROM `models` WHERE `space_id` = NEW.`id` AND `public`) BEGIN INSERT INTO `purges` (`tag`, `rank`, `due_at`, `calls_left`, `change`) SELECT 'content:' || NEW.`id`, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER), 2, 1 WHERE true ON CONFLICT (`tag`) DO UPDATE SET `due_at` = excluded.`due_at`, `calls_left` = excluded.`calls_left`, `change` = `change` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `model_change_touches_locales_insert` AFTER INSERT ON `record_locales` WHEN EXISTS (SELECT 1 FROM `model_changes` WHERE `model_id` = abs(NEW.`model_id`) AND `state` = 'working') BEGIN INSERT INTO `model_change_touches` (`model_id`, `record`) VALUES (abs(NEW.`model_id`), NEW.`record`); END;
--> statement-breakpoint
CREATE TRIGGER `model_change_touches_locales_update` AFTER UPDATE OF `data` ON `record_locales` WHEN EXISTS (SELECT 1 FROM `model_changes` WHERE `model_id` = abs(NEW.`model_id`) AND `state` = 'working') BEGIN INSERT INTO `model_change_touches` (`model_id`, `record`) VALUES (abs(NEW.`model_id`), NEW.`record`); END;
