ALTER TABLE `backups` ADD `remade` text DEFAULT '{}' NOT NULL;
