/** The HTML of renderers of Portable Text, in one form. */

/**
 * Returns HTML with the same apostrophes, breaks, underlines and deletions, whichever renderer wrote it, and without
 * marks for hydration.
 */
export const plain = (html: string): string =>
  html
    .replaceAll(/<!--[^>]*-->/g, "")
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll("<br/>", "<br>")
    .replaceAll(/<span style="text-decoration: ?underline;?">(.*?)<\/span>/g, "<u>$1</u>")
    .replaceAll(/<(\/?)del>/g, "<$1s>");
