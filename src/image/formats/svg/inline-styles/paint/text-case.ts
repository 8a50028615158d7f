/** Applies `text-transform` to text (CSS Text 3, section 2.1), as for a language without rules of its own. */

const FIRST_LETTERS = /(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu;

export function inCase(text: string, transform: string): string {
  switch (transform) {
    case "uppercase":
      return text.toUpperCase();
    case "lowercase":
      return text.toLowerCase();
    case "capitalize":
      return text.replace(FIRST_LETTERS, (letter) => letter.toUpperCase());
    default:
      return text;
  }
}
