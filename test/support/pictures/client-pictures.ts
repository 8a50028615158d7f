/** Media objects as the service answers them, for what runs in pages. */
import type { Picture } from "../../../src/client/html.ts";

export const ADDRESS = "https://images.example.com/api/v1/my-site/pictures/01M7XTTZQECY6W1GJ6HFN4V91C";

/** Returns a photograph of 4000 x 3000 pixels in its third version, unless `changes` says otherwise. */
export function photo(changes: Partial<Picture> = {}): Picture {
  const large = { directUrl: `${ADDRESS}/file?w=1000&q=90&auto=format&v=3` };
  return {
    directUrl: `${ADDRESS}/file?v=3`,
    width: 4000,
    height: 3000,
    alt: 'The "beach" at low tide',
    mime: "image/jpeg",
    animated: false,
    hasAlpha: false,
    focalPoint: null,
    focalPointSuggested: null,
    placeholder: { thumbHash: "1QcSHQRnh493V4dIh4eXh1h4kJUI", dominantColor: "#8a5a2b" },
    formats: { large },
    ...changes,
  };
}

/** Returns the parameters of an address, in their order. */
export const parametersOf = (url: string): [string, string][] => [...new URL(url).searchParams];

/** Returns `{url, width}` of each entry of a srcset. */
export function entriesOf(srcset: string): { url: string; width: number }[] {
  return srcset.split(", ").map((entry) => {
    const [url = "", descriptor = ""] = entry.split(" ");
    return { url, width: Number(/^(\d+)w$/.exec(descriptor)?.[1]) };
  });
}
