ALTER TABLE `spaces` ADD `metadata` text DEFAULT 'copyright' NOT NULL;--> statement-breakpoint
ALTER TABLE `spaces` ADD `gamut` text DEFAULT 'srgb' NOT NULL;--> statement-breakpoint
ALTER TABLE `masters` ADD `inspection_tries` integer DEFAULT 0;--> statement-breakpoint
CREATE INDEX `masters_to_inspect` ON `masters` (`inspection_tries`,media_id DESC) WHERE inspection_tries IS NOT NULL AND purge_at IS NULL;
--> statement-breakpoint
DROP TRIGGER `media_search_insert`;
--> statement-breakpoint
DROP TRIGGER `media_search_update`;
--> statement-breakpoint
CREATE TRIGGER `media_search_insert` AFTER INSERT ON `media` BEGIN UPDATE `media` SET `seq` = (SELECT coalesce(max(`seq`), 0) + 1 FROM `media`) WHERE `rowid` = NEW.`rowid`; INSERT INTO `media_search` (`rowid`, `words`) SELECT `seq`, replace(' ' || (`words` ->> 0) || ' ' || (`words` ->> 1) || coalesce(' ' || (`words` ->> 2), ''), ' ', ' ' || `space_id`) FROM `media` WHERE `rowid` = NEW.`rowid` AND `words` IS NOT NULL AND `deleted_at` IS NULL; END;
--> statement-breakpoint
CREATE TRIGGER `media_search_update` AFTER UPDATE OF `words`, `deleted_at` ON `media` WHEN OLD.`words` IS NOT NEW.`words` OR (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN DELETE FROM `media_search` WHERE `rowid` = OLD.`seq`; INSERT INTO `media_search` (`rowid`, `words`) SELECT NEW.`seq`, replace(' ' || (NEW.`words` ->> 0) || ' ' || (NEW.`words` ->> 1) || coalesce(' ' || (NEW.`words` ->> 2), ''), ' ', ' ' || NEW.`space_id`) WHERE NEW.`words` IS NOT NULL AND NEW.`deleted_at` IS NULL; END;
