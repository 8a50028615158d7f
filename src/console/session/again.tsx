/** Asks for the next sign-in above a page whose session has ended. The page stays, with what the reader typed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useSession, useSessionState } from "./context.tsx";
import { enter } from "./enter.ts";
import { FormFault, KeyField } from "./key-field.tsx";
import { messageOf, signInBeside } from "./provider.ts";
import { useProviderName } from "./sign-in.tsx";

const FORM = "sign-in-again";

export function SignInAgain() {
  const { signIn, signOut } = useSessionState();
  const { space, name, member } = useSession();
  const [key, setKey] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const provider = useProviderName();
  const stopWaiting = useRef(() => {});
  useEffect(() => () => stopWaiting.current(), []);

  const submit = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      signIn(await enter(space, key.trim()));
    } catch (error) {
      setFault(messageOf(error));
    }
    setBusy(false);
  };
  const beside = (): void => {
    stopWaiting.current();
    const stop = signInBeside(space, signIn);
    setFault(stop ? null : "The browser did not open a window. Allow this site to open one, and try again.");
    stopWaiting.current = stop ?? (() => {});
  };
  return (
    <Dialog
      title="Sign in again"
      actions={
        <>
          <Button onClick={signOut}>Leave the page</Button>
          {provider !== null && <Button onClick={beside}>Sign in with {provider}</Button>}
          <Button kind="solid" type="submit" form={FORM} busy={isBusy}>
            Sign in
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        class="sign-in-again"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p class="sign-in-note">The key or session has ended. Sign in again.</p>
        <p>
          You were signed in to <b>{space}</b> as <b>{name}</b>. Sign in as the same person, and this page
          goes on: what you typed is still here.
        </p>
        <KeyField
          value={key}
          hint={
            member === null
              ? "A key with another name or role opens the page anew."
              : "A key opens the page anew."
          }
          isFirst
          onValue={setKey}
        />
        <FormFault fault={fault} />
      </form>
    </Dialog>
  );
}
