/** Calendar days of the reader's time zone. A day with a clock change has 23 or 25 hours, or begins after midnight. */

/** Returns the first millisecond of a day that is written as "2026-03-29". */
export const startOfDay = (day: string): number => new Date(`${day}T00:00:00`).getTime();

/** Returns the last millisecond of a day. */
export function endOfDay(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + 1).getTime() - 1;
}
