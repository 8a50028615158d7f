/** Holds a reader back who is about to leave what was not saved: by a link, by the way back, by closing the tab. */
import { useEffect, useState } from "preact/hooks";
import { useLatest } from "../lib/use-latest.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** What is unsaved on the page that is shown; null for nothing. */
let unsaved: string | null = null;
let ask: ((leave: () => void) => void) | null = null;

/** Leaves at once, or once the reader has said so. */
function leaveBy(leave: () => void): void {
  if (unsaved === null || !ask) leave();
  else ask(leave);
}

/** Stands around every navigation of the router. */
export function guarded<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  leaveBy(() => navigate(to, options));
}

/**
 * @param what is unsaved: "This record"; null for nothing
 * @returns a function that lets the next navigation through, for what follows a save
 */
export function useUnsaved(what: string | null): () => void {
  useEffect(() => {
    unsaved = what;
    return () => void (unsaved = null);
  }, [what]);
  return useLatest(() => void (unsaved = null));
}

/**
 * Watches the ways out of the page. Called before anything is rendered: the browser calls listeners of the window in
 * the order of their registration, and the router's would show the page before first.
 */
export function watchLeaving(): void {
  let here = location.href;
  const remember = (): void => void (here = location.href);
  // The router tells of its own navigations by events of these names.
  for (const name of ["pushState", "replaceState"]) window.addEventListener(name, remember);
  window.addEventListener("popstate", (event) => {
    if (unsaved === null || !ask) {
      remember();
      return;
    }
    // The browser has gone back already: the page's address is put in front again until the reader has decided.
    event.stopImmediatePropagation();
    history.pushState(null, "", here);
    ask(() => history.back());
  });
  window.addEventListener("beforeunload", (event) => {
    if (unsaved !== null) event.preventDefault();
  });
}

/** Once per page, beside the router's pages. */
export function UnsavedDialog() {
  const [leave, setLeave] = useState<{ by: () => void; what: string } | null>(null);
  useEffect(() => {
    ask = (by) => setLeave({ by, what: unsaved ?? "" });
    return () => void (ask = null);
  }, []);
  if (!leave) return null;
  const close = (): void => setLeave(null);
  return (
    <Dialog
      title="Leave without saving?"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Stay</Button>
          <Button
            kind="danger"
            onClick={() => {
              unsaved = null;
              close();
              leave.by();
            }}
          >
            Leave
          </Button>
        </>
      }
    >
      <p>{leave.what} has changes that are not saved. They are lost when you leave.</p>
    </Dialog>
  );
}
