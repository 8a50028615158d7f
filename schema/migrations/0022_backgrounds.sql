ALTER TABLE `spaces` ADD `backgrounds` text;
