/** Takes CSS apart into tokens, at a price for each. */
import { TokenType, tokenizer, type CSSToken } from "@csstools/css-tokenizer";
import { SVG } from "../../../../limits.ts";
import { holdTo } from "../errors.ts";
import { type InPieces, pauseIfDue } from "../work/pieces.ts";
import { PRICES, type Work } from "../work/work.ts";

/**
 * Returns the tokens of a style attribute.
 * @throws SvgRejectedError for a text with many faults, because the tokenizer makes an error with its stack for each
 */
export const tokensOf = (css: string, work: Work): CSSToken[] => [...pricedTokens(css, work)];

/** Returns the tokens of a style sheet, which may be long. @throws SvgRejectedError as `tokensOf` does */
export function* tokensInPieces(css: string, work: Work): InPieces<CSSToken[]> {
  const tokens: CSSToken[] = [];
  for (const token of pricedTokens(css, work)) {
    tokens.push(token);
    if (work.isPauseDue) yield* pauseIfDue(work);
  }
  return tokens;
}

function* pricedTokens(css: string, work: Work): Generator<CSSToken> {
  work.spend(css.length * PRICES.styleCharacter);
  const source = tokenizer({ css });
  let faults = 0;
  while (!source.endOfFile()) {
    work.spend(PRICES.token);
    const token = source.nextToken();
    if (isFaulty(token))
      holdTo(SVG.styleFaultsMax, ++faults, "broken strings, addresses and escapes in a style");
    yield token;
  }
  yield source.nextToken();
}

const isFaulty = (token: CSSToken): boolean =>
  token[0] === TokenType.BadString ||
  token[0] === TokenType.BadURL ||
  (token[0] === TokenType.Delim && token[4].value === "\\");
