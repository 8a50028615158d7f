/** The way in: a space and a key of it, the root token, or the deployment's provider. */
import { useEffect, useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useTitle } from "../ui/page.tsx";
import { useSessionState } from "./context.tsx";
import { enter } from "./enter.ts";
import { FormFault, KeyField } from "./key-field.tsx";
import type { Session } from "./kept.ts";
import { leaveForProvider, messageOf, readProviderName } from "./provider.ts";
import { Wordmark } from "./wordmark.tsx";
import "./sign-in.css";

/** Returns the name of the deployment's provider; null while it is not known, and if there is none. */
export function useProviderName(): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    // Without an answer there is no button, and a key still opens the console.
    readProviderName().then(setName, () => undefined);
  }, []);
  return name;
}

interface SignInProps {
  suggestedSpace: string;
  /** The reason for which the last sign-in failed. */
  fault?: string | null;
  /** The channel of the tab that waits for the session, in a window that this tab opened. */
  replyTo?: string | undefined;
  /** Takes the session of a key; left out where this tab keeps it. */
  onSession?: (session: Session) => void;
}

export function SignIn({ suggestedSpace, fault: firstFault = null, replyTo, onSession }: SignInProps) {
  const { signIn } = useSessionState();
  const [space, setSpace] = useState(suggestedSpace);
  const [key, setKey] = useState("");
  const [fault, setFault] = useState(firstFault);
  const [isBusy, setBusy] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const provider = useProviderName();
  useTitle("Sign in");

  const submit = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      (onSession ?? signIn)(await enter(space.trim(), key.trim()));
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  const leave = async (): Promise<void> => {
    if (space.trim() === "") {
      setFault("Name the space first.");
      return;
    }
    setLeaving(true);
    setFault(null);
    try {
      await leaveForProvider(space.trim(), replyTo);
    } catch (error) {
      setFault(messageOf(error));
      setLeaving(false);
    }
  };

  return (
    <main class="sign-in">
      <form
        class="sign-in-sheet"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h1>
          <Wordmark />
        </h1>
        <p class="sign-in-lead">Pictures and content, ready to publish.</p>
        <Field label="Space">
          {(control) => (
            <input
              {...control}
              class="input"
              name="space"
              value={space}
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              autofocus={suggestedSpace === ""}
              onInput={(event) => setSpace(event.currentTarget.value)}
            />
          )}
        </Field>
        <KeyField
          value={key}
          hint="A key made for you, or the root token of the deployment."
          isFirst={suggestedSpace !== ""}
          onValue={setKey}
        />
        <FormFault fault={fault} />
        <Button kind="solid" type="submit" busy={isBusy}>
          Sign in
        </Button>
        {provider !== null && (
          <Button busy={isLeaving} onClick={() => void leave()}>
            Sign in with {provider}
          </Button>
        )}
        <p class="field-hint">The key stays in this tab and is forgotten when you close it.</p>
      </form>
    </main>
  );
}
