/** The page to which the provider sends a tab back. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation, useSearch } from "wouter-preact";
import { useLatest } from "../lib/use-latest.ts";
import { Empty, Skeleton, useTitle } from "../ui/page.tsx";
import { useSessionState } from "./context.tsx";
import { beginBeside, comeBack, messageOf, replyBeside, SignInFailed } from "./provider.ts";
import { SignIn } from "./sign-in.tsx";

type Back = Awaited<ReturnType<typeof comeBack>>;

/** Returns the session and its receiver; null while the window is on its way to the provider. @throws Error */
const exchange = async (search: string): Promise<Back | null> =>
  (await beginBeside(search)) ? null : comeBack(search);

export function Callback() {
  const { signIn } = useSessionState();
  const [, navigate] = useLocation();
  const [search] = useState(useSearch());
  const [failed, setFailed] = useState<SignInFailed | null>(null);
  const [isReplied, setReplied] = useState(false);
  useTitle("Signing in");
  /** Gives the session to the tab that waits for it, which opened this window, or to this tab. */
  const give = useLatest(({ session, replyTo }: Back): void => {
    if (replyTo !== undefined) {
      replyBeside(session, replyTo);
      setReplied(true);
      return;
    }
    signIn(session);
    navigate(`/${session.space}/media`, { replace: true });
  });

  const hasBegun = useRef(false);
  useEffect(() => {
    // A code is exchanged once.
    if (hasBegun.current) return;
    hasBegun.current = true;
    // The code is used up, and does not stay in the address.
    history.replaceState(null, "", location.pathname);
    void exchange(search).then(
      (back) => {
        if (back) give(back);
      },
      (error: unknown) =>
        setFailed(
          error instanceof SignInFailed ? error : new SignInFailed(messageOf(error), { space: "" }, error),
        ),
    );
  }, [give, search]);

  if (isReplied) {
    return (
      <main class="sign-in">
        <Empty title="You are signed in">You may close this window, and go on in the one before.</Empty>
      </main>
    );
  }
  if (failed) {
    const { space, replyTo } = failed.aim;
    return (
      <SignIn
        suggestedSpace={space}
        fault={failed.message}
        replyTo={replyTo}
        onSession={(session) => give({ session, replyTo })}
      />
    );
  }
  return (
    <main class="sign-in" aria-busy="true">
      <div class="sign-in-sheet">
        <p role="status">Signing in …</p>
        <Skeleton lines={3} />
      </div>
    </main>
  );
}
