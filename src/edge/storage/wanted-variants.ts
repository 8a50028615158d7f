/** The variants that a request can use, as a part of the query for its picture. */
import { sql, type SQL } from "drizzle-orm";
import { CENTRE } from "../../image/model/focal-point.ts";
import { prefixOfRatio } from "../../image/model/variant.ts";
import { GAPS, type WantedVariants } from "../../image/model/wanted-variants.ts";
import { DELIVERY } from "../../limits.ts";

/** Columns and expressions of the picture that gaps are filled with. */
export interface PictureColumns {
  mediaId: SQL;
  version: SQL;
  facts: SQL;
  focalX: SQL;
  focalY: SQL;
}

/**
 * A JSON object of sizes and expiries by file name. Each beginning is a search of the primary key that finds one file per
 * format and encoder version at most, however many variants there are.
 */
export function variantsOf(wanted: WantedVariants, of: PictureColumns, now: number): SQL {
  const { beginnings } = wanted;
  if (beginnings.length === 0) return sql`'{}'`;
  const name = filled(wanted, of);
  // Cross joins keep their order. Names have no character as high as `~`.
  return sql`(SELECT json_group_object(v.file, json_array(v.size_bytes, v.expires_at))
    FROM json_each(${JSON.stringify(beginnings)}) b
    CROSS JOIN variants v ON v.media_id = ${of.mediaId} AND v.version = ${of.version}
      AND v.file >= ${name} AND v.file < ${name} || '~'
    WHERE v.expires_at > ${now})`;
}

/** The beginning with its gaps filled. */
function filled(wanted: WantedVariants, of: PictureColumns): SQL {
  const { beginnings, ratio, height } = wanted;
  const width = sql`(${of.facts} ->> 'width')`;
  const down = sql`(${of.facts} ->> 'height')`;
  const own = ratio
    ? sql`max(1, min(${width}, ${down} * ${int(ratio.width)} / ${int(ratio.height)}))`
    : width;
  const gaps: [string, SQL][] = [
    [GAPS.ownWidth, own],
    [GAPS.widthForHeight, gridWidthOf(sql`(2 * ${int(height ?? 1)} * ${width} + ${down}) / (2 * ${down})`)],
    [GAPS.crop, cropOf(wanted, of, width, down)],
  ];
  return gaps
    .filter(([gap]) => beginnings.some((beginning) => beginning.includes(gap)))
    .reduce((name, [gap, value]) => sql`replace(${name}, ${sql.raw(`'${gap}'`)}, ${value})`, sql`b.value`);
}

/** Whole numbers that are no parameters: those divide as fractions. */
const int = (value: number): SQL => sql.raw(String(Math.trunc(value)));

/** As `gridWidth`, of a width of any size. */
function gridWidthOf(width: SQL): SQL {
  const steps = DELIVERY.widthGridPixels.slice(0, -1);
  const cases = steps.map((step) => sql`WHEN x <= ${int(step)} THEN ${int(step)}`);
  const widest = int(DELIVERY.widthMaxPixels);
  return sql`(SELECT CASE ${sql.join(cases, sql` `)} ELSE ${widest} END FROM (SELECT ${width} AS x))`;
}

/** As `cropOf` of the model places it: on the axis `side` long that it does not fill, `at` pixels from its beginning. */
function cropOf({ ratio, focalPoint }: WantedVariants, of: PictureColumns, width: SQL, down: SQL): SQL {
  if (!ratio) return sql`''`;
  const [across, high] = [int(ratio.width), int(ratio.height)];
  const x = focalPoint ? int(focalPoint.x) : sql`coalesce(${of.focalX}, ${int(CENTRE.x)})`;
  const y = focalPoint ? int(focalPoint.y) : sql`coalesce(${of.focalY}, ${int(CENTRE.y)})`;
  const isWider = sql`${width} * ${high} >= ${down} * ${across}`;
  const axis = sql`SELECT
    CASE WHEN ${isWider} THEN ${width} ELSE ${down} END AS side,
    max(1, CASE WHEN ${isWider} THEN ${down} * ${across} / ${high} ELSE ${width} * ${high} / ${across} END) AS length,
    CASE WHEN ${isWider} THEN ${x} ELSE ${y} END AS percent`;
  const placed = sql`SELECT percent, side - length AS slack,
    min(side - length, max(0, (2 * side * percent - 100 * length + 100) / 200)) AS at FROM (${axis})`;
  return sql`(SELECT CASE WHEN slack = 0 THEN '' ELSE ${sql.raw(`'${prefixOfRatio(ratio)}f'`)} ||
    CASE at WHEN 0 THEN 0 WHEN slack THEN 100 ELSE percent END || '-' END FROM (${placed}))`;
}
