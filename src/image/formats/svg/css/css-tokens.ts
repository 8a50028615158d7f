/** Takes CSS apart into tokens, at a price for each. */
import { TokenType, tokenizer, type CSSToken } from "@csstools/css-tokenizer";
import { SVG } from "../../../../limits.ts";
import { holdTo } from "../errors.ts";
import { PRICES, type Work } from "../work/work.ts";

/** @throws SvgRejectedError for a text with many faults, because the tokenizer makes an error with its stack for each */
export function tokensOf(css: string, work: Work): CSSToken[] {
  work.spend(css.length * PRICES.styleCharacter);
  const tokens: CSSToken[] = [];
  const source = tokenizer({ css });
  let faults = 0;
  while (!source.endOfFile()) {
    work.spend(PRICES.token);
    const token = source.nextToken();
    if (isFaulty(token))
      holdTo(SVG.styleFaultsMax, ++faults, "broken strings, addresses and escapes in a style");
    tokens.push(token);
  }
  tokens.push(source.nextToken());
  return tokens;
}

const isFaulty = (token: CSSToken): boolean =>
  token[0] === TokenType.BadString ||
  token[0] === TokenType.BadURL ||
  (token[0] === TokenType.Delim && token[4].value === "\\");
