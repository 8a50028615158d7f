/** The deployment's variable `BACKUPS` (RULES 18.7). Pure. */
import { BACKUP, DAY_MS } from "../../../limits.ts";

/** How often backups are made, and how many of a space are kept. */
export interface BackupPlan {
  /** The time from one backup of a space to the next; null if none are made but those that callers ask for. */
  everyMs: number | null;
  keep: number;
}

const EVERY_MS = { daily: DAY_MS, weekly: 7 * DAY_MS } as const;

/** Reads `off`, `daily:N` or `weekly:N`. Nothing is `off`. @throws Error for anything else */
export function backupPlan(text = ""): BackupPlan {
  if (text === "" || text === "off") return { everyMs: null, keep: BACKUP.keepDefault };
  const [, unit, count] = /^(daily|weekly):([1-9]\d{0,2})$/.exec(text) ?? [];
  const keep = Number(count ?? 0);
  if (unit === undefined || keep > BACKUP.keepMax)
    throw new Error(
      `BACKUPS is "${text}". Set it to off, daily:N or weekly:N, with N from 1 to ${BACKUP.keepMax}.`,
    );
  return { everyMs: EVERY_MS[unit as keyof typeof EVERY_MS], keep };
}
