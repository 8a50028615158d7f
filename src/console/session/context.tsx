/** The session as components use it, and the store of what the service answered. */
import { QueryClient, QueryClientProvider } from "@tanstack/preact-query";
import { SilverprintError } from "../../client/index.ts";
import { createContext, type ComponentChildren } from "preact";
import { useCallback, useContext, useMemo, useState } from "preact/hooks";
import { LIST_MEMORY } from "../lib/list-memory.ts";
import { keepSession, may, readSession, type Role, type Session } from "./kept.ts";
import { clientOf, type Client } from "./session.ts";

const FRESH_MS = 15_000;
const KEPT_MS = 5 * 60_000;
const TRIES_MAX = 2;

/** Refusals stay refusals; what did not arrive is asked for again. */
const isWorthAnotherTry = (tries: number, error: Error): boolean =>
  tries < TRIES_MAX && !(error instanceof SilverprintError && error.status < 500);

function newQueryClient(): QueryClient {
  const queries = { staleTime: FRESH_MS, gcTime: KEPT_MS, retry: isWorthAnotherTry };
  const client = new QueryClient({ defaultOptions: { queries } });
  // However long a reader stays on a record, the list behind it keeps its length.
  client.setQueryDefaults([LIST_MEMORY], { gcTime: Infinity });
  return client;
}

export interface SessionState {
  session: Session | null;
  /** Why the last session ended, for the next sign-in. */
  farewell: string | null;
  signIn: (session: Session) => void;
  signOut: (reason?: string) => void;
}

const SessionContext = createContext<SessionState | null>(null);
const ClientContext = createContext<Client | null>(null);

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [session, setSession] = useState(readSession);
  const [farewell, setFarewell] = useState<string | null>(null);
  const change = useCallback((to: Session | null, reason: string | null): void => {
    keepSession(to);
    setFarewell(reason);
    setSession(to);
  }, []);
  const state: SessionState = {
    session,
    farewell,
    signIn: (to) => change(to, null),
    signOut: (reason) => change(null, reason ?? null),
  };
  // One store per session: nothing that one key read is shown to the next.
  const queries = useMemo(newQueryClient, [session]);
  const client = useMemo(
    () =>
      session && clientOf(session, () => change(null, "The key is no longer known. Sign in with another.")),
    [session, change],
  );
  return (
    <SessionContext.Provider value={state}>
      <ClientContext.Provider value={client}>
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </ClientContext.Provider>
    </SessionContext.Provider>
  );
}

export function useSessionState(): SessionState {
  const state = useContext(SessionContext);
  if (!state) throw new Error("No SessionProvider above");
  return state;
}

/** Returns the session of a page that is only shown to who is signed in. */
export function useSession(): Session {
  const { session } = useSessionState();
  if (!session) throw new Error("Nobody is signed in");
  return session;
}

/** Returns the client of the session, and the space for paths. */
export function useApi(): { api: Client["api"]; client: Client; path: { spaceName: string } } {
  const client = useContext(ClientContext);
  const { space } = useSession();
  if (!client) throw new Error("Nobody is signed in");
  return useMemo(() => ({ api: client.api, client, path: { spaceName: space } }), [client, space]);
}

export const useMay = (needed: Role): boolean => may(useSession(), needed);
