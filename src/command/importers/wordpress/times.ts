/** Times of WordPress: `2013-04-09 13:37:47`, in UTC or in the site's own zone, which the export does not name. */

const TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;

/** Returns the first of some times that is one, as ISO 8601; null for none. A draft has the time 0000-00-00. */
export function timeOf(...texts: (string | undefined)[]): string | null {
  for (const text of texts) {
    const [, day, time] = TIME.exec((text ?? "").trim()) ?? [];
    if (day === undefined || day.startsWith("0000")) continue;
    const ms = Date.parse(`${day}T${time}Z`);
    if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  }
  return null;
}
