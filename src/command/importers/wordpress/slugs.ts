/** Makes slugs as WordPress makes them of names (`sanitize_title`). */

/** Latin letters that are no letter with a mark, as WordPress writes them without accents. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: "s", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i", ŋ: "n", ŧ: "t" },
};

/** Removes the marks of Latin letters alone: those of other scripts are vowels. */
const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .replaceAll(/[ßæœøłđðþħıŋŧ]/g, (letter) => LETTERS[letter] ?? letter);

/**
 * Returns the slug of a name: `Café at the_sea` is `cafe-at-the_sea`, and `Children's` is `childrens`. Letters of other
 * scripts stay, where WordPress would encode them. It is empty if the name has no letter and no digit.
 */
export const slugOf = (name: string): string =>
  withoutAccents(name.trim().toLowerCase())
    .replaceAll(/[\s./\u2010-\u2015]+/g, "-")
    .replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
