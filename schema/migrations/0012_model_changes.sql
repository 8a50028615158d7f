CREATE TABLE `model_change_touches` (
	`no` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`model_id` integer NOT NULL,
	`record` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `model_change_touches_by_model` ON `model_change_touches` (`model_id`,`no`);--> statement-breakpoint
CREATE TABLE `model_changes` (
	`model_id` integer PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`asked` text NOT NULL,
	`version` integer NOT NULL,
	`phase` integer DEFAULT 0 NOT NULL,
	`after_id` text DEFAULT '' NOT NULL,
	`checked` integer DEFAULT 0 NOT NULL,
	`total` integer NOT NULL,
	`conflicts` text DEFAULT '[]' NOT NULL,
	`left_uniques` text DEFAULT '[]' NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `model_changes_to_do` ON `model_changes` (`started_at`) WHERE state = 'working' OR left_uniques <> '[]';--> statement-breakpoint
CREATE TRIGGER `model_change_touches_insert` AFTER INSERT ON `records`
WHEN EXISTS (SELECT 1 FROM `model_changes` WHERE `model_id` = abs(NEW.`model_id`) AND `state` = 'working') BEGIN
	INSERT INTO `model_change_touches` (`model_id`, `record`) VALUES (abs(NEW.`model_id`), NEW.`seq`);
END;
--> statement-breakpoint
CREATE TRIGGER `model_change_touches_update` AFTER UPDATE OF `data`, `deleted_at` ON `records`
WHEN EXISTS (SELECT 1 FROM `model_changes` WHERE `model_id` = abs(NEW.`model_id`) AND `state` = 'working') BEGIN
	INSERT INTO `model_change_touches` (`model_id`, `record`) VALUES (abs(NEW.`model_id`), NEW.`seq`);
END;
