/** The caller's side of the coder of alpha. */
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

/** Returns the address of the tokens of alpha that are not coded yet (u32). */
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

/** Returns whether alpha has the gradient filter of an ALPH chunk. */
export function isAlphaGradient(): boolean {
  return isAlphaFiltered;
}

/** Returns the address of the predictions of alpha's tiles (u8); 0 if none is predicted. */
export function alphaModesAddress(): usize {
  return isAlphaPredicted ? alphaModes : 0;
}

/** Returns whether every pixel so far is opaque. */
export function isAllOpaque(): boolean {
  return isOpaque;
}
