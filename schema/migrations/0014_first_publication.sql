CREATE TABLE `fold_edition` (
	`id` integer PRIMARY KEY NOT NULL,
	`edition` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `fold_edition` (`id`, `edition`) VALUES (1, 1);--> statement-breakpoint
ALTER TABLE `records` ADD `first_published_at` integer;--> statement-breakpoint
CREATE INDEX `records_by_publication` ON `records` (`model_id`,`published_at`) WHERE deleted_at IS NULL AND model_id < 0;--> statement-breakpoint
CREATE INDEX `records_by_first_publication` ON `records` (`model_id`,coalesce(first_published_at, published_at)) WHERE deleted_at IS NULL AND model_id < 0;
