/** Addresses of a WordPress site: of its pictures, in any of their sizes, and of its posts. */

/** Returns an address in the form in which two of one file are equal: without scheme, `www.` and query. */
export const pictureKey = (address: string): string =>
  address
    .replace(/[?#].*$/, "")
    .replace(/^(?:https?:)?\/\/(?:www\.)?/i, "")
    .toLowerCase();

/**
 * Returns the key of a picture that is no attachment: a script may make another picture of each query, and its server may
 * tell capitals from small letters.
 */
export const remoteKey = (address: string): string =>
  address.replace(/#.*$/, "").replace(/^(?:https?:)?\/\/(?:www\.)?/i, "");

/** Returns an address of a text as a browser on a page of the site understands it. */
export function absolute(address: string, site: string): string {
  if (address.startsWith("//")) return `https:${address}`;
  if (/^[a-z][a-z\d+.-]*:/i.test(address) || !URL.canParse(site)) return address;
  const { origin, href } = new URL(site.endsWith("/") ? site : `${site}/`);
  return address.startsWith("/") ? `${origin}${address}` : `${href}${address}`;
}

/** Returns the key of the file that WordPress made a smaller one of: `beach-300x200.jpg` is made of `beach.jpg`. */
export const originalKey = (key: string): string =>
  key.replace(/-\d+x\d+(?=\.\w+$)/, "").replace(/-scaled(?=\.\w+$)/, "");

/** Returns the address of a post in the form in which two of one post are equal. */
export function linkKey(address: string): string {
  return address
    .replace(/#.*$/, "")
    .replace(/^(?:https?:)?\/\/(?:www\.)?/i, "")
    .replace(/\/(?=\?|$)/, "")
    .toLowerCase();
}

/**
 * Returns the id of a post in an address such as `https://example.org/?p=12`; null without one. WordPress writes the `&` of
 * an address as `&#038;`, which stays as it is in CDATA.
 */
export const idInAddress = (address: string): string | null =>
  /(?:[?&]|&#0*38;|&amp;)(?:p|page_id|attachment_id)=(\d+)/.exec(address)?.[1] ?? null;

const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|svgz?)$/i;

/** Returns whether an address ends like that of a picture. */
export const isPictureAddress = (address: string): boolean => PICTURE.test(address.replace(/[?#].*$/, ""));

/** Returns the file name in an address. */
export function filenameIn(address: string): string {
  const name = address.replace(/[?#].*$/, "").replace(/^.*\//, "");
  try {
    return decodeURIComponent(name) || "file";
  } catch {
    return name || "file";
  }
}
