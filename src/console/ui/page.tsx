/** The frame of a page's content: its title, its actions, and the text in the place of content that is not there. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useRootMark } from "../lib/use-root-mark.ts";
import { Button } from "./button.tsx";
import "./page.css";

/** So many stand on one row of a phone only when they are small. */
const MANY_ACTIONS = 4;

interface PageProps {
  title: string;
  /** Beside the title: a count, a state. */
  aside?: ComponentChildren;
  /** The part above the title: the way back. */
  above?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  /** For forms and texts: lines stay readable on wide screens. */
  narrow?: boolean;
  /** For a form with a column beside it. */
  form?: boolean;
  /** Keeps the actions of a long form in reach. */
  sticky?: boolean;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Silverprint`;
  }, [title]);
}

/** Marks the head with the number of its actions: a phone lays out few of them in another way than many. */
function useActionsMark(hasActions: boolean) {
  const head = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const actions = head.current?.querySelector(":scope > .page-actions");
    if (!actions) return;
    const mark = (): void => {
      const { childElementCount: count } = actions;
      head.current?.setAttribute(
        "data-actions",
        count === 1 ? "one" : count < MANY_ACTIONS ? "some" : "many",
      );
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(actions, { childList: true });
    return () => observer.disconnect();
  }, [hasActions]);
  return head;
}

export function Page({ title, aside, above, actions, children, narrow, form, sticky }: PageProps) {
  useTitle(title);
  useRootMark("sticky", sticky === true);
  const head = useActionsMark(Boolean(actions));
  const kinds = [narrow && "page-narrow", form && "page-form", sticky && "page-sticky"];
  return (
    <div class={["page", ...kinds].filter(Boolean).join(" ")}>
      <header class="page-head" ref={head}>
        <div class="page-title">
          {above}
          <h1>{title}</h1>
          {aside && <p class="page-aside">{aside}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Empty({
  title,
  children,
  picture,
  action,
}: {
  title: string;
  children?: ComponentChildren;
  picture?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      {picture && <div class="empty-picture">{picture}</div>}
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Renders an error, and the button to try again. */
export function Fault({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  return (
    <div class="empty" role="alert">
      <h2>This did not work</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Renders grey lines in the place of text that is still loading. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <p class="visually-hidden">Loading</p>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

/** Renders a surface that holds one subject. */
export function Card({
  title,
  aside,
  children,
  id,
}: {
  title?: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  id?: string;
}) {
  return (
    <section class="card" id={id} aria-label={title}>
      {title && (
        <header class="card-head">
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
