/** The ids of the items of a WXR file, which keep their records apart. */
import type { Losses } from "../losses.ts";
import { cleanText } from "../text/portable-text.ts";
import { idInAddress } from "./addresses.ts";
import type { WxrItem } from "./wxr.ts";

/** The part of a title that an id has. */
const TITLE_MAX_CHARACTERS = 200;
/** The elements of an item's date. The first that has a text is taken. */
const DATES = ["wp:post_date_gmt", "wp:post_date", "pubDate"];

const textOf = ({ values }: WxrItem, name: string): string => (values[name] ?? "").trim();

/**
 * Returns the id of an item that has no address either. It has no place of the item in it, which would change with each item
 * that is added before this one.
 */
function titleAndDate(item: WxrItem): string {
  const date = DATES.map((name) => textOf(item, name)).find((text) => text !== "") ?? "";
  const title = cleanText(textOf(item, "title")).slice(0, TITLE_MAX_CHARACTERS);
  return ["item", date, title.toWellFormed()].filter((text) => text !== "").join(" ");
}

export class ItemIds {
  readonly #taken = new Set<string>();

  /** Keeps an id from being given to another item. */
  take(id: string): void {
    this.#taken.add(id);
  }

  /**
   * Returns the id of an item without one: the one in its address, else the address itself, else its title and date. One
   * that another item has is passed over, and the last of them gets a counter. Call this when the ids of all items that
   * have one are taken.
   */
  of(item: WxrItem, losses: Losses): string {
    const addresses = ["guid", "link"].map((name) => textOf(item, name)).filter((text) => text !== "");
    const named = addresses.map(idInAddress).filter((id) => id !== null);
    const [first = titleAndDate(item), ...others] = [...named, ...addresses];
    const [last = first] = others.slice(-1);
    const isFree = (id: string): boolean => !this.#taken.has(id);
    const free = [first, ...others].find(isFree) ?? this.#counted(last);
    if (free !== first) {
      losses.add(
        "the id of an item without wp:post_id is another item's, so it gets one of its own",
        `${first} becomes ${free}`,
      );
    }
    return free;
  }

  #counted(id: string): string {
    let count = 2;
    while (this.#taken.has(`${id}#${count}`)) count += 1;
    return `${id}#${count}`;
  }
}
