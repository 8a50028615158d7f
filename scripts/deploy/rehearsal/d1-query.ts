/** The SQL that D1's `/query` refuses, which splits what it is sent into statements by rules of its own. */

/** A trigger up to its end: the next breakpoint, statement of another kind, or the end of the text. */
const TRIGGER = /\bCREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b[\s\S]*?\bEND\b\s*(?:;|$)/gi;
/** A CASE whose END could be taken for that of the trigger: one without parentheses around it. */
const BARE_CASE = /(?<!\(\s*)\bCASE\b/i;
const UPPER_BEGIN = /\bBEGIN\b/;

/**
 * Returns whether `/query` may answer "incomplete input". Reports differ on the cause (workers-sdk 14991, 15178, 15314
 * and 15690, alchemy 1673), so each statement that failed in one of them is refused here. A single trigger on one line
 * is left.
 */
export function isIncompleteInput(sql: string): boolean {
  const triggers = [...sql.matchAll(TRIGGER)].map(([trigger]) => trigger);
  if (triggers.length === 0) return false;
  if (triggers.length > 1 || sql.includes("\r\n")) return true;
  return triggers.some(
    (trigger) => trigger.trim().includes("\n") || !UPPER_BEGIN.test(trigger) || BARE_CASE.test(trigger),
  );
}
