/** The conflicts that a change of a model may have with its records, as a plan and an answer tell them. */
import type { Loss } from "../../../errors.ts";

export interface ChangeConflict {
  /** The field's present name; the new one of an added field. */
  path: string;
  message: string;
  /** The number of records with the conflict, as far as they were counted. */
  records: number;
  /** The values that would be lost, by their name in `drop`. */
  loss?: Loss;
}

/** Returns conflicts as answers have them. */
export const conflictViews = (conflicts: readonly ChangeConflict[]): Omit<ChangeConflict, "loss">[] =>
  conflicts.map(({ path, message, records }) => ({ path, message, records }));

/** Returns the conflict of a change that would lose values. */
export const lossConflict = (
  path: string,
  { drop, fact, records }: { drop: string; fact: string; records: number },
  advice: string,
): ChangeConflict => ({ path, message: `${fact}; ${advice}`, records, loss: { name: drop, fact } });

/** The advice about a field whose values would be lost. */
export const NAME_IT = 'name it in "drop" to lose them, or in "rename"';

export const counted = (records: number): string => (records === 1 ? "1 record" : `${records} records`);
