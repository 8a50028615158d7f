CREATE TABLE `space_places` (
	`space_id` text PRIMARY KEY NOT NULL,
	`shard` integer NOT NULL,
	`move` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `this_shard` (
	`id` integer PRIMARY KEY NOT NULL,
	`shard` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `space_names` ADD `claimed_at` integer;--> statement-breakpoint
CREATE INDEX `space_names_claimed` ON `space_names` (`claimed_at`) WHERE claimed_at IS NOT NULL;