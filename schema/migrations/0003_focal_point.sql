ALTER TABLE `masters` ADD `suggested_focal_x` integer;--> statement-breakpoint
ALTER TABLE `masters` ADD `suggested_focal_y` integer;--> statement-breakpoint
ALTER TABLE `media` ADD `focal_x` integer;--> statement-breakpoint
ALTER TABLE `media` ADD `focal_y` integer;--> statement-breakpoint
ALTER TABLE `spaces` ADD `aspect_ratios` text;--> statement-breakpoint
ALTER TABLE `spaces` ADD `suggest_focal_point` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `variants` ADD `has_requested_focal_point` integer DEFAULT false NOT NULL;