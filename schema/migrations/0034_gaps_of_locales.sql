ALTER TABLE `record_locales` ADD `filled` text;--> statement-breakpoint
ALTER TABLE `records` ADD `held` text;--> statement-breakpoint
CREATE INDEX `record_locales_by_filled` ON `record_locales` (`model_id`,`locale`,`filled`,`record`);--> statement-breakpoint
CREATE INDEX `record_locales_to_fill` ON `record_locales` (`record`) WHERE filled IS NULL;--> statement-breakpoint
CREATE INDEX `records_by_held` ON `records` (`model_id`,`held`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TRIGGER `record_locales_filled_update` AFTER UPDATE OF `data` ON `record_locales` WHEN NEW.`filled` IS NOT coalesce((SELECT ',' || group_concat(`no`, ',') || ',' FROM (SELECT CAST(`key` AS INTEGER) % 4294967296 AS `no` FROM json_each(NEW.`data`) WHERE `type` <> 'null' ORDER BY `no`)), '') BEGIN UPDATE `record_locales` SET `filled` = coalesce((SELECT ',' || group_concat(`no`, ',') || ',' FROM (SELECT CAST(`key` AS INTEGER) % 4294967296 AS `no` FROM json_each(NEW.`data`) WHERE `type` <> 'null' ORDER BY `no`)), '') WHERE `record` = NEW.`record` AND `locale` = NEW.`locale`; END;
--> statement-breakpoint
CREATE TRIGGER `record_locales_held_insert` AFTER INSERT ON `record_locales` WHEN NEW.`filled` IS NOT NULL BEGIN UPDATE `records` SET `held` = (SELECT ',' || group_concat(`locale`, ',') || ',' FROM (SELECT `locale` FROM `record_locales` WHERE `record` = NEW.`record` ORDER BY `locale`)) WHERE `seq` = NEW.`record` AND instr(coalesce(`held`, ''), ',' || NEW.`locale` || ',') = 0; END;
--> statement-breakpoint
CREATE TRIGGER `record_locales_held_update` AFTER UPDATE OF `filled` ON `record_locales` WHEN OLD.`filled` IS NULL BEGIN UPDATE `records` SET `held` = (SELECT ',' || group_concat(`locale`, ',') || ',' FROM (SELECT `locale` FROM `record_locales` WHERE `record` = NEW.`record` ORDER BY `locale`)) WHERE `seq` = NEW.`record` AND instr(coalesce(`held`, ''), ',' || NEW.`locale` || ',') = 0; END;
--> statement-breakpoint
CREATE TRIGGER `record_locales_held_delete` AFTER DELETE ON `record_locales` BEGIN UPDATE `records` SET `held` = (SELECT ',' || group_concat(`locale`, ',') || ',' FROM (SELECT `locale` FROM `record_locales` WHERE `record` = OLD.`record` ORDER BY `locale`)) WHERE `seq` = OLD.`record`; END;
