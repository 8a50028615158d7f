CREATE TABLE `remotes` (
	`space_id` text NOT NULL,
	`hash` text NOT NULL,
	`id` text NOT NULL,
	`url` text NOT NULL,
	`origin` text NOT NULL,
	`version` integer NOT NULL,
	`last_version` integer NOT NULL,
	`file` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`facts` text NOT NULL,
	`etag` text,
	`last_modified` text,
	`fetched_at` integer NOT NULL,
	`fresh_until` integer NOT NULL,
	`asked_at` integer NOT NULL,
	PRIMARY KEY(`space_id`, `hash`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `remotes_by_id` ON `remotes` (`id`);--> statement-breakpoint
CREATE INDEX `remotes_by_asking` ON `remotes` (`space_id`,`asked_at`);--> statement-breakpoint
CREATE INDEX `remotes_by_age` ON `remotes` (`asked_at`);--> statement-breakpoint
CREATE INDEX `remotes_by_origin` ON `remotes` (`space_id`,`origin`,`size_bytes`);--> statement-breakpoint
ALTER TABLE `space_totals` ADD `remote_pictures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `space_totals` ADD `remote_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `spaces` ADD `origins` text;--> statement-breakpoint
ALTER TABLE `spaces` ADD `remote_bytes` integer DEFAULT 10737418240 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `space_totals_remotes_insert` AFTER INSERT ON `remotes` BEGIN INSERT INTO `space_totals` (`space_id`, `remote_pictures`, `remote_bytes`) VALUES (NEW.`space_id`, 1, NEW.`size_bytes`) ON CONFLICT (`space_id`) DO UPDATE SET `remote_pictures` = `remote_pictures` + 1, `remote_bytes` = `remote_bytes` + excluded.`remote_bytes`; END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_remotes_update` AFTER UPDATE OF `size_bytes` ON `remotes` BEGIN UPDATE `space_totals` SET `remote_bytes` = `remote_bytes` - OLD.`size_bytes` + NEW.`size_bytes` WHERE `space_id` = NEW.`space_id`; END;
--> statement-breakpoint
CREATE TRIGGER `space_totals_remotes_delete` AFTER DELETE ON `remotes` BEGIN UPDATE `space_totals` SET `remote_pictures` = `remote_pictures` - 1, `remote_bytes` = `remote_bytes` - OLD.`size_bytes` WHERE `space_id` = OLD.`space_id`; END;
