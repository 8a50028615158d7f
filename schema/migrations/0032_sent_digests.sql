ALTER TABLE `masters` ADD `sent_sha256` text;
