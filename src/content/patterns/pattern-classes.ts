/** Sets of characters that patterns name: `\d`, `\w`, `\s`, Unicode's general categories and scripts. */

export interface CharacterSet {
  has: (point: number) => boolean;
  /** The steps of a test (see step-budget.ts). */
  steps: number;
}

/** A test by the engine took as long as some 40 operations on words, on the development machine. */
const ENGINE_STEPS = 40;

export const range = (low: number, high: number): CharacterSet => ({
  has: (point) => point >= low && point <= high,
  steps: 1,
});
export const is = (wanted: number): CharacterSet => range(wanted, wanted);
export const any = (...sets: CharacterSet[]): CharacterSet => ({
  has: (point) => sets.some((set) => set.has(point)),
  steps: 1 + sets.reduce((sum, { steps }) => sum + steps, 0),
});
export const not = ({ has, steps }: CharacterSet): CharacterSet => ({ has: (point) => !has(point), steps });

const between = (from: string, to: string): CharacterSet =>
  range(from.codePointAt(0) as number, to.codePointAt(0) as number);
const byEngine = (set: RegExp): CharacterSet => ({
  has: (point) => set.test(String.fromCodePoint(point)),
  steps: ENGINE_STEPS,
});

const digit = between("0", "9");
const word = any(digit, between("a", "z"), between("A", "Z"), is(0x5f));
const space = byEngine(/\s/);
export const notLineEnd = not(any(is(0x0a), is(0x0d), range(0x2028, 0x2029)));

export const CLASSES = new Map<string, CharacterSet>([
  ["d", digit],
  ["D", not(digit)],
  ["w", word],
  ["W", not(word)],
  ["s", space],
  ["S", not(space)],
]);
export const CONTROLS = new Map([
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["f", 0x0c],
  ["v", 0x0b],
]);

const PROPERTY = /^(?:(gc|General_Category|sc|Script|scx|Script_Extensions)=)?(\w+)$/;

/**
 * Returns the set of the engine's own table; null for a name that it does not know. A character is matched in one step.
 */
function engineSet(property: string): CharacterSet | null {
  try {
    return byEngine(new RegExp(`^\\p{${property}}$`, "u"));
  } catch {
    return null;
  }
}

/** Reads `Lu`, `Letter`, `Greek`, `gc=Lu`, `Script=Greek`, `scx=Greek`; null for anything else that `\p` knows. */
export function unicodeProperty(text: string): CharacterSet | null {
  const [, kind, value] = PROPERTY.exec(text) ?? [];
  if (value === undefined) return null;
  if (kind !== undefined) return engineSet(`${kind}=${value}`);
  return engineSet(`gc=${value}`) ?? engineSet(`sc=${value}`);
}
