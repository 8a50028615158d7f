CREATE TABLE `move_touches` (
	`no` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`space_id` text NOT NULL,
	`table_name` text NOT NULL,
	`unit` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `move_touches_by_space` ON `move_touches` (`space_id`,`no`);--> statement-breakpoint
CREATE TABLE `number_blocks` (
	`block` integer PRIMARY KEY NOT NULL,
	`shard` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `space_moves` (
	`space_id` text PRIMARY KEY NOT NULL,
	`move` integer NOT NULL,
	`state` text NOT NULL,
	`other` integer NOT NULL,
	`closed_until` integer DEFAULT 0 NOT NULL,
	`bypass` integer DEFAULT 0 NOT NULL,
	`progress` text DEFAULT '{}' NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`edition` text DEFAULT '' NOT NULL,
	`driven_until` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`settled_at` integer,
	`swept_at` integer,
	`reason` text
);
--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `space_id` text;--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_space` ON `idempotency_keys` (`space_id`);