/** Colours, as `bg` and the names of variants have them. */

/** Six hexadecimal digits in lower case. */
export type Colour = string;
export const WHITE: Colour = "ffffff";
export const COLOUR = /^[0-9a-f]{6}$/;

/** Returns red, green and blue, 0 to 255. */
export function samplesOfColour(colour: Colour): [red: number, green: number, blue: number] {
  const all = parseInt(colour, 16);
  return [all >> 16, (all >> 8) & 255, all & 255];
}

export function isGray(colour: Colour): boolean {
  const [red, green, blue] = samplesOfColour(colour);
  return red === green && green === blue;
}
