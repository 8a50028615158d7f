CREATE TABLE `purge_allowance` (
	`id` integer PRIMARY KEY NOT NULL,
	`calls` real NOT NULL,
	`counted_at` integer NOT NULL,
	`claim` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `purges` (
	`tag` text PRIMARY KEY NOT NULL,
	`rank` integer NOT NULL,
	`due_at` integer NOT NULL,
	`calls_left` integer NOT NULL,
	`change` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `purges_by_due` ON `purges` (`rank`,`due_at`);