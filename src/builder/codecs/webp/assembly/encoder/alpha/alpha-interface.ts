/** What the caller asks of the coder of alpha. */
import {
  alphaTokens,
  codeAlpha as codeBand,
  isAlphaFiltered,
  isAlphaPredicted,
  isOpaque,
  nextAlphaToken,
} from "./alpha-tokens";
import { alphaModes } from "./alpha-predict";
export { startAlpha } from "./alpha-emit";
export { areAlphaTokensFull, isAlphaFull } from "./alpha-tokens";

/** The tokens of alpha that are not coded yet (u32). */
export function alphaTokensAddress(): usize {
  return alphaTokens;
}

export function alphaTokensEnd(): usize {
  return nextAlphaToken;
}

/** Codes rows of alpha that are held. @returns false when there are none left */
export function codeAlpha(isFixed: boolean): boolean {
  return codeBand(isFixed);
}

/** Whether alpha has the gradient filter of an ALPH chunk. */
export function isAlphaGradient(): boolean {
  return isAlphaFiltered;
}

/** How each tile of alpha is predicted (u8); 0 if none is. */
export function alphaModesAddress(): usize {
  return isAlphaPredicted ? alphaModes : 0;
}

/** Whether every pixel so far is opaque. */
export function isAllOpaque(): boolean {
  return isOpaque;
}
