/** Times in the form of the input `datetime-local`. */

/** Converts a time to the form of `datetime-local`, in the reader's time zone: "2026-01-31T09:00". */
export function localOf(iso: unknown): string {
  if (typeof iso !== "string" || iso === "") return "";
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "";
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = [String(time.getFullYear()).padStart(4, "0"), two(time.getMonth() + 1), two(time.getDate())];
  const seconds = time.getSeconds() ? `:${two(time.getSeconds())}` : "";
  return `${date.join("-")}T${two(time.getHours())}:${two(time.getMinutes())}${seconds}`;
}

/** Converts a time of `datetime-local` to ISO 8601 in UTC; an empty one to null. */
export const isoOf = (local: string): string | null => (local === "" ? null : new Date(local).toISOString());
