CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`scopes` text,
	`iss` text,
	`sub` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer,
	`sessions_since` integer DEFAULT 0 NOT NULL,
	`maker_kind` text NOT NULL,
	`maker_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_email` ON `members` (`space_id`,`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_subject` ON `members` (`space_id`,`iss`,`sub`);--> statement-breakpoint
CREATE INDEX `members_by_space` ON `members` (`space_id`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`iss` text NOT NULL,
	`sub` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_by_subject` ON `sessions` (`space_id`,`iss`,`sub`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `root_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `root_sessions_by_expiry` ON `root_sessions` (`expires_at`);
