/**
 * What only the API document needs. The Worker's bundle is without it: `alias` in wrangler.toml puts `says-nothing.ts` in
 * the place of this module, and the bundler then drops the calls with what they are given.
 */

/** Words on a route, a parameter or a field. */
export const says = (words: string): string => words;

/** What is written out in the API document alone: answers, errors, schemas of answers. In the Worker it is undefined. */
export const documented = <Value>(make: () => Value): Value => make();
