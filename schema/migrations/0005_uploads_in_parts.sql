CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`filename` text NOT NULL,
	`alt` text,
	`focal_x` integer,
	`focal_y` integer,
	`size_bytes` integer NOT NULL,
	`media_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_at` integer
);
--> statement-breakpoint
CREATE INDEX `uploads_by_expiry` ON `uploads` (`expires_at`);--> statement-breakpoint
CREATE INDEX `uploads_by_space` ON `uploads` (`space_id`);