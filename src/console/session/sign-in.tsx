/** The way in: a space and a key of it, or the root token. */
import { useState } from "preact/hooks";
import { SilverprintError } from "../../client/index.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useTitle } from "../ui/page.tsx";
import { answered } from "./answered.ts";
import { useSessionState } from "./context.tsx";
import type { Session } from "./kept.ts";
import { clientOf } from "./session.ts";
import { Wordmark } from "./wordmark.tsx";
import "./sign-in.css";

/** Asks the service what the key is. @throws Error with words for whoever typed it */
async function enter(space: string, key: string): Promise<Session> {
  const { api } = clientOf({ space, key });
  try {
    const params = { path: { spaceName: space } };
    const { data } = await answered(api.GET("/api/v1/{spaceName}/keys/self", { params }));
    return { space: data.space, key, name: data.name, role: data.role };
  } catch (error) {
    if (!(error instanceof SilverprintError)) throw error;
    if (error.status === 401)
      throw new Error("This key is not known. Check that all of it was copied.", { cause: error });
    if (error.status === 404)
      throw new Error("There is no such space, or the key is another space's.", { cause: error });
    throw error;
  }
}

export function SignIn({ suggestedSpace }: { suggestedSpace: string }) {
  const { signIn, farewell } = useSessionState();
  const [space, setSpace] = useState(suggestedSpace);
  const [key, setKey] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useTitle("Sign in");

  const submit = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      signIn(await enter(space.trim(), key.trim()));
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      setBusy(false);
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
        {farewell && !fault && <p class="sign-in-note">{farewell}</p>}
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
        <Field label="Key" hint="A key made for you, or the root token of the deployment.">
          {(control) => (
            <input
              {...control}
              class="input"
              type="password"
              value={key}
              autocomplete="off"
              autofocus={suggestedSpace !== ""}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
        {fault && (
          <p class="field-faults" role="alert">
            {fault}
          </p>
        )}
        <Button kind="solid" type="submit" busy={isBusy}>
          Sign in
        </Button>
        <p class="field-hint">The key stays in this tab and is forgotten when you close it.</p>
      </form>
    </main>
  );
}
