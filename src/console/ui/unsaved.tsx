/** Holds a reader back who is about to leave what was not saved: by a link, by the way back, by signing out, by closing the tab. */
import { useEffect, useState } from "preact/hooks";
import { atRisk } from "../lib/at-risk.ts";
import { useLatest } from "../lib/use-latest.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** The unsaved thing on the shown page; null for nothing. */
let unsaved: string | null = null;
let ask: ((leave: () => void, lost: readonly string[]) => void) | null = null;

/** Returns a sentence about the unsaved thing on the shown page, if there is one. */
const unsavedHere = (): string[] => (unsaved === null ? [] : [`${unsaved} has changes that are not saved.`]);

/** Leaves at once, or once the reader has agreed to lose these things. */
function leaveOver(lost: readonly string[], leave: () => void): void {
  if (lost.length === 0 || !ask) leave();
  else ask(leave, lost);
}

/** Leaves the page at once, or once the reader has said so. */
export const leaveBy = (leave: () => void): void => leaveOver(unsavedHere(), leave);

/** Ends the session at once, or once the reader has said so: more is lost with it than with a page. */
export const leaveSessionBy = (leave: () => void): void => leaveOver([...unsavedHere(), ...atRisk()], leave);

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
    ask(() => history.back(), unsavedHere());
  });
  window.addEventListener("beforeunload", (event) => {
    if (unsaved !== null) event.preventDefault();
  });
}

/** Renders the question about unsaved changes. Once per page, beside the router's pages. */
export function UnsavedDialog() {
  const [leave, setLeave] = useState<{ by: () => void; lost: readonly string[] } | null>(null);
  useEffect(() => {
    ask = (by, lost) => setLeave({ by, lost });
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
      <p>{leave.lost.join(" ")} They are lost when you leave.</p>
    </Dialog>
  );
}
