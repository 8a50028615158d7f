/**
 * Builds the part of the picture query that reads the variants a request can use.
 *
 * The SQL repeats the geometry of src/image/geometry, because the picture's size is not known before the query: ranges of
 * names instead would read every width of a crop. test/workerd/delivery/picture-query.test.ts holds it to `choose.ts`.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Ratio } from "../../../image/geometry/aspect-ratio.ts";
import { CENTRE } from "../../../image/geometry/focal-point.ts";
import { prefixOfRatio } from "../../../image/model/variant.ts";
import { GAPS, type WantedVariants } from "../../../image/model/wanted-variants.ts";
import { DELIVERY } from "../../../limits.ts";

/** Columns and expressions of the picture that fill the gaps. */
export interface PictureColumns {
  spaceId: SQL;
  mediaId: SQL;
  version: SQL;
  facts: SQL;
  focalX: SQL;
  focalY: SQL;
}

/**
 * Reads a JSON object with sizes and expiries by file name. Each beginning is one search of the primary key. It finds at most
 * one file per format and encoder version, however many variants exist.
 */
export function variantsOf(wanted: WantedVariants, of: PictureColumns, now: number): SQL {
  const { beginnings } = wanted;
  if (beginnings.length === 0) return sql`'{}'`;
  const name = filled(wanted, of);
  // SQLite does not reorder cross joins. All characters of names sort before `~`.
  return sql`(SELECT json_group_object(v.file, json_array(v.size_bytes, v.expires_at))
    FROM json_each(${JSON.stringify(beginnings)}) b
    CROSS JOIN variants v ON v.space_id = ${of.spaceId} AND v.media_id = ${of.mediaId} AND v.version = ${of.version}
      AND v.file >= ${name} AND v.file < ${name} || '~'
    WHERE v.expires_at > ${now})`;
}

/** Fills the gaps of the beginnings. */
function filled(wanted: WantedVariants, of: PictureColumns): SQL {
  const { beginnings, ratio } = wanted;
  const width = sql`(${of.facts} ->> 'width')`;
  const down = sql`(${of.facts} ->> 'height')`;
  const high = int(wanted.height ?? 1);
  const inside = sql`max(1, min(${int(wanted.width ?? 1)}, ${high} * ${width} / ${down}))`;
  const gaps: [string, SQL][] = [
    [GAPS.ownWidth, ratio ? ownWidthOf(ratio, wanted.isPadded, width, down) : width],
    [GAPS.widthForHeight, gridWidthOf(sql`(2 * ${high} * ${width} + ${down}) / (2 * ${down})`)],
    [GAPS.widthInside, gridWidthOf(inside)],
    [GAPS.crop, cropOf(wanted, of, width, down)],
  ];
  return gaps
    .filter(([gap]) => beginnings.some((beginning) => beginning.includes(gap)))
    .reduce((name, [gap, value]) => sql`replace(${name}, ${sql.raw(`'${gap}'`)}, ${value})`, sql`b.value`);
}

/** Does the same as `cropOf`, or as `canvasWidth` for a canvas. */
function ownWidthOf(ratio: Ratio, isPadded: boolean, width: SQL, down: SQL): SQL {
  const [across, high] = [int(ratio.width), int(ratio.height)];
  return isPadded
    ? sql`max(${width}, (${down} * ${across} + ${high} - 1) / ${high})`
    : sql`max(1, min(${width}, ${down} * ${across} / ${high}))`;
}

/** Writes a whole number as part of the SQL text: D1 binds numbers as floats, which divide with fractions. */
const int = (value: number): SQL => sql.raw(String(Math.trunc(value)));

/** Does the same as `gridWidth`, for a width of any size. */
function gridWidthOf(width: SQL): SQL {
  const steps = DELIVERY.widthGridPixels.slice(0, -1);
  const cases = steps.map((step) => sql`WHEN x <= ${int(step)} THEN ${int(step)}`);
  const widest = int(DELIVERY.widthMaxPixels);
  return sql`(SELECT CASE ${sql.join(cases, sql` `)} ELSE ${widest} END FROM (SELECT ${width} AS x))`;
}

/**
 * Places a crop as `cropOf` of the model does: `at` pixels from the start of the axis of length `side` that it does not
 * fill.
 */
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
