/** Sets of characters that patterns name: `\d`, `\w`, `\s`, Unicode's general categories and scripts. */

export type CharacterTest = (point: number) => boolean;

const within =
  (from: string, to: string): CharacterTest =>
  (point) =>
    point >= (from.codePointAt(0) as number) && point <= (to.codePointAt(0) as number);
export const any =
  (...tests: CharacterTest[]): CharacterTest =>
  (point) =>
    tests.some((test) => test(point));
export const not =
  (test: CharacterTest): CharacterTest =>
  (point) =>
    !test(point);
export const is =
  (wanted: number): CharacterTest =>
  (point) =>
    point === wanted;

const digit = within("0", "9");
const word = any(digit, within("a", "z"), within("A", "Z"), is(0x5f));
const space: CharacterTest = (point) => /\s/.test(String.fromCodePoint(point));
export const notLineEnd: CharacterTest = (point) => ![0x0a, 0x0d, 0x2028, 0x2029].includes(point);

export const CLASSES = new Map<string, CharacterTest>([
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

/** The set as the engine's own table has it; null where it knows no such name. One character is matched in one step. */
function engineSet(property: string): CharacterTest | null {
  try {
    const set = new RegExp(`^\\p{${property}}$`, "u");
    return (point) => set.test(String.fromCodePoint(point));
  } catch {
    return null;
  }
}

/** `Lu`, `Letter`, `Greek`, `gc=Lu`, `Script=Greek`, `scx=Greek`; null for anything else that `\p` knows. */
export function unicodeProperty(text: string): CharacterTest | null {
  const [, kind, value] = PROPERTY.exec(text) ?? [];
  if (value === undefined) return null;
  if (kind !== undefined) return engineSet(`${kind}=${value}`);
  return engineSet(`gc=${value}`) ?? engineSet(`sc=${value}`);
}
