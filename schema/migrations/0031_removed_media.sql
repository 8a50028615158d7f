CREATE TABLE `removed_media` (
	`space_id` text NOT NULL,
	`media_id` text NOT NULL,
	`last_version` integer NOT NULL,
	`master_version` integer NOT NULL,
	`sha256` text NOT NULL,
	PRIMARY KEY(`space_id`, `media_id`)
);
