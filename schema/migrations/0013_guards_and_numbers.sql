CREATE TABLE `batch_guards` (
	`holds` integer NOT NULL
);
--> statement-breakpoint
UPDATE `record_values` SET `value` = CAST(`value` AS REAL) WHERE (`model_id`, `field`, `value`, `record`) IN (SELECT v.`model_id`, v.`field`, v.`value`, v.`record` FROM `models` m, json_each(m.`fields`) f, (SELECT 1 AS `sign` UNION ALL SELECT -1) k CROSS JOIN `record_values` v ON v.`model_id` = m.`id` * k.`sign` AND v.`field` = f.`value` ->> 'no' AND v.`value` > 9007199254740992 AND v.`value` < '' WHERE f.`value` ->> 'type' = 'number' AND typeof(v.`value`) = 'integer');
--> statement-breakpoint
UPDATE `record_values` SET `value` = CAST(`value` AS REAL) WHERE (`model_id`, `field`, `value`, `record`) IN (SELECT v.`model_id`, v.`field`, v.`value`, v.`record` FROM `models` m, json_each(m.`fields`) f, (SELECT 1 AS `sign` UNION ALL SELECT -1) k CROSS JOIN `record_values` v ON v.`model_id` = m.`id` * k.`sign` AND v.`field` = f.`value` ->> 'no' AND v.`value` < -9007199254740992 WHERE f.`value` ->> 'type' = 'number' AND typeof(v.`value`) = 'integer');
--> statement-breakpoint
UPDATE `record_uniques` SET `value` = CAST(`value` AS REAL) WHERE (`model_id`, `field`, `value`) IN (SELECT v.`model_id`, v.`field`, v.`value` FROM `models` m, json_each(m.`fields`) f, (SELECT 1 AS `sign` UNION ALL SELECT -1) k CROSS JOIN `record_uniques` v ON v.`model_id` = m.`id` * k.`sign` AND v.`field` = f.`value` ->> 'no' AND v.`value` > 9007199254740992 AND v.`value` < '' WHERE f.`value` ->> 'type' = 'number' AND typeof(v.`value`) = 'integer');
--> statement-breakpoint
UPDATE `record_uniques` SET `value` = CAST(`value` AS REAL) WHERE (`model_id`, `field`, `value`) IN (SELECT v.`model_id`, v.`field`, v.`value` FROM `models` m, json_each(m.`fields`) f, (SELECT 1 AS `sign` UNION ALL SELECT -1) k CROSS JOIN `record_uniques` v ON v.`model_id` = m.`id` * k.`sign` AND v.`field` = f.`value` ->> 'no' AND v.`value` < -9007199254740992 WHERE f.`value` ->> 'type' = 'number' AND typeof(v.`value`) = 'integer');
