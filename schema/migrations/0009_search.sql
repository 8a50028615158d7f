CREATE TABLE `idempotency_keys` (
	`caller` text NOT NULL,
	`key` text NOT NULL,
	`request` text NOT NULL,
	`seed` text NOT NULL,
	`run` text NOT NULL,
	`runs_until` integer NOT NULL,
	`status` integer,
	`headers` text,
	`body` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`caller`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `search_rebuilds` (
	`model_id` integer PRIMARY KEY NOT NULL,
	`after_id` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `media` ADD `words` text;--> statement-breakpoint
ALTER TABLE `media` ADD `seq` integer;--> statement-breakpoint
CREATE INDEX `media_without_words` ON `media` (`id`) WHERE words IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `media_by_seq` ON `media` (`seq`);--> statement-breakpoint
ALTER TABLE `models` ADD `public` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `media` SET `seq` = `rowid`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `record_search` USING fts5(`words`, content='', contentless_delete=1, tokenize='ascii');
--> statement-breakpoint
CREATE VIRTUAL TABLE `media_search` USING fts5(`words`, content='', contentless_delete=1, tokenize='ascii');
--> statement-breakpoint
CREATE TRIGGER `record_search_insert` AFTER INSERT ON `records`
WHEN NEW.`deleted_at` IS NULL AND NEW.`folded` ->> 'words' <> '' BEGIN
	INSERT INTO `record_search` (`rowid`, `words`) VALUES (NEW.`seq`,
		replace(' ' || (NEW.`folded` ->> 'words'), ' ', ' ' || replace(NEW.`model_id`, '-', 'n') || 'm'));
END;
--> statement-breakpoint
CREATE TRIGGER `record_search_update` AFTER UPDATE OF `folded`, `deleted_at` ON `records`
WHEN coalesce(OLD.`folded` ->> 'words', '') <> coalesce(NEW.`folded` ->> 'words', '')
	OR ((OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) AND NEW.`folded` ->> 'words' <> '') BEGIN
	DELETE FROM `record_search` WHERE `rowid` = OLD.`seq`;
	INSERT INTO `record_search` (`rowid`, `words`) SELECT NEW.`seq`,
		replace(' ' || (NEW.`folded` ->> 'words'), ' ', ' ' || replace(NEW.`model_id`, '-', 'n') || 'm')
	WHERE NEW.`deleted_at` IS NULL AND NEW.`folded` ->> 'words' <> '';
END;
--> statement-breakpoint
CREATE TRIGGER `record_search_delete` AFTER DELETE ON `records`
WHEN OLD.`deleted_at` IS NULL AND OLD.`folded` ->> 'words' <> '' BEGIN
	DELETE FROM `record_search` WHERE `rowid` = OLD.`seq`;
END;
--> statement-breakpoint
CREATE TRIGGER `media_search_insert` AFTER INSERT ON `media` BEGIN
	UPDATE `media` SET `seq` = (SELECT coalesce(max(`seq`), 0) + 1 FROM `media`) WHERE `id` = NEW.`id`;
	INSERT INTO `media_search` (`rowid`, `words`) SELECT `seq`,
		replace(' ' || (`words` ->> 0) || ' ' || (`words` ->> 1), ' ', ' ' || `space_id`)
	FROM `media` WHERE `id` = NEW.`id` AND `words` IS NOT NULL AND `deleted_at` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `media_search_update` AFTER UPDATE OF `words`, `deleted_at` ON `media`
WHEN OLD.`words` IS NOT NEW.`words` OR (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN
	DELETE FROM `media_search` WHERE `rowid` = OLD.`seq`;
	INSERT INTO `media_search` (`rowid`, `words`) SELECT NEW.`seq`,
		replace(' ' || (NEW.`words` ->> 0) || ' ' || (NEW.`words` ->> 1), ' ', ' ' || NEW.`space_id`)
	WHERE NEW.`words` IS NOT NULL AND NEW.`deleted_at` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `media_search_delete` AFTER DELETE ON `media` BEGIN
	DELETE FROM `media_search` WHERE `rowid` = OLD.`seq`;
END;
