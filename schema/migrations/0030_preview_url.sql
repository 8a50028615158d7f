ALTER TABLE `models` ADD `preview_url` text;
