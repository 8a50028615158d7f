CREATE TABLE `idempotency_callers` (
	`caller` text PRIMARY KEY NOT NULL,
	`keys` integer NOT NULL
);

--> statement-breakpoint
INSERT INTO `idempotency_callers` (`caller`, `keys`) SELECT `caller`, count(*) FROM `idempotency_keys` GROUP BY `caller`;--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_insert` AFTER INSERT ON `idempotency_keys` BEGIN INSERT INTO `idempotency_callers` (`caller`, `keys`) VALUES (NEW.`caller`, 1) ON CONFLICT (`caller`) DO UPDATE SET `keys` = `keys` + 1; END;--> statement-breakpoint
CREATE TRIGGER `idempotency_keys_delete` AFTER DELETE ON `idempotency_keys` BEGIN UPDATE `idempotency_callers` SET `keys` = `keys` - 1 WHERE `caller` = OLD.`caller`; DELETE FROM `idempotency_callers` WHERE `caller` = OLD.`caller` AND `keys` <= 0; END;
