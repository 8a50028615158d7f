/**
 * Where the reader was on each page, so that both ways back, the browser's and the link "Back", lead there again. Any
 * other way to a page leads to its top. A page grows while it is drawn, so its place is taken as soon as it is there.
 */

/** Addresses whose place is kept, the latest. */
const KEPT_MAX = 200;
/** A page that has not grown to its place by then does not jump any more. */
const PATIENCE_MS = 5000;
const READER_ACTS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** CSS pixels from the top, by path and query. */
const tops = new Map<string, number>();
/** The query that each path last had. */
const queries = new Map<string, string>();
let shownPath = location.pathname;
/** Where the page that is about to be shown is scrolled to; null while one stands at its place. */
let wanted: number | null = null;
let stopFollowing: () => void = () => undefined;

/** Whether the page stays when its address changes next. */
let stays = false;

/** Keeps the focus and the place of the page when its address changes next: its form stays, too. */
export const stayOnPage = (): void => void (stays = true);

/** Returns whether the page stays, once for each time that it was told so. */
export function hasStayed(): boolean {
  const was = stays;
  stays = false;
  return was;
}

interface BackState {
  isBack: true;
}
/** The state that a link back hands to the router. */
export const BACK: BackState = { isBack: true };

const isBackState = (state: unknown): boolean =>
  typeof state === "object" && state !== null && (state as Partial<BackState>).isBack === true;

function keep(): void {
  if (wanted !== null) return;
  const { pathname, search } = location;
  const address = pathname + search;
  tops.delete(address);
  tops.set(address, window.scrollY);
  for (const [oldest] of tops) {
    if (tops.size <= KEPT_MAX) break;
    tops.delete(oldest);
  }
}

function arrive(isReturn: boolean): void {
  const { pathname, search } = location;
  queries.set(pathname, search);
  if (pathname === shownPath) return;
  shownPath = pathname;
  if (stays) return;
  wanted = isReturn ? (tops.get(pathname + search) ?? 0) : 0;
}

/**
 * Watches the places of the reader. Called once, before anything is rendered, and after those listeners that may hold
 * the reader back.
 */
export function watchPlaces(): void {
  history.scrollRestoration = "manual";
  window.addEventListener("scroll", keep, { passive: true });
  window.addEventListener("popstate", () => arrive(true));
  // The router tells of its own navigations by events of these names.
  for (const name of ["pushState", "replaceState"])
    window.addEventListener(name, () => arrive(isBackState(history.state)));
}

/** @param path without the query @returns the address that the path last had, with its search, filters and order */
export const lastAddress = (path: string): string => path + (queries.get(path) ?? "");

/** Scrolls a page that has just been shown to its place. */
export function showPlace(): void {
  stopFollowing();
  const top = wanted ?? 0;
  const scroll = (): void => {
    window.scrollTo(0, top);
    if (Math.abs(window.scrollY - top) < 1) stopFollowing();
  };
  const observer = new ResizeObserver(scroll);
  const timer = setTimeout(() => stopFollowing(), PATIENCE_MS);
  const stop = (): void => {
    observer.disconnect();
    clearTimeout(timer);
    for (const name of READER_ACTS) window.removeEventListener(name, stop);
    stopFollowing = () => undefined;
    wanted = null;
  };
  stopFollowing = stop;
  for (const name of READER_ACTS) window.addEventListener(name, stop, { passive: true });
  observer.observe(document.body);
  scroll();
}
