/** The session as components use it, and the store of what the service answered. */
import { QueryClient, QueryClientProvider } from "@tanstack/preact-query";
import { SilverprintError } from "../../client/index.ts";
import { createContext, type ComponentChildren } from "preact";
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { holdSession } from "../lib/at-risk.ts";
import { LIST_MEMORY } from "../lib/list-memory.ts";
import { leaveSessionBy } from "../ui/unsaved.tsx";
import { isOfSamePerson, keepSession, may, readSession, type Role, type Session } from "./kept.ts";
import { endAtService } from "./provider.ts";
import { clientOf, type Client, type Renewed } from "./session.ts";

const FRESH_MS = 15_000;
const KEPT_MS = 5 * 60_000;
const TRIES_MAX = 2;

/** Returns whether another try may help. A refusal stays one; a request that did not arrive is repeated. */
const isWorthAnotherTry = (tries: number, error: Error): boolean =>
  tries < TRIES_MAX && !(error instanceof SilverprintError && error.status < 500);

function newQueryClient(): QueryClient {
  const queries = { staleTime: FRESH_MS, gcTime: KEPT_MS, retry: isWorthAnotherTry };
  const client = new QueryClient({ defaultOptions: { queries } });
  // However long a reader stays on a record, the list behind it keeps its length.
  client.setQueryDefaults([LIST_MEMORY], { gcTime: Infinity });
  return client;
}

/**
 * Forgets what no page shows, and reads anew what one does: the key of a renewed session has the same name and role, and
 * other scopes perhaps. Forms stay.
 */
function readAnew(queries: QueryClient): void {
  queries.removeQueries({ type: "inactive", predicate: ({ queryKey }) => queryKey[0] !== LIST_MEMORY });
  void queries.invalidateQueries();
}

export interface SessionState {
  session: Session | null;
  /** Whether the service knows the session no more. Its page stays until the reader has signed in again. */
  hasEnded: boolean;
  /** Counts the sessions whose pages follow each other. A session that a sign-in renews keeps its number. */
  number: number;
  signIn: (session: Session) => void;
  signOut: () => void;
  /** Returns the key after the next sign-in for a request that was refused. */
  renewed: Renewed;
}

const SessionContext = createContext<SessionState | null>(null);
const ClientContext = createContext<Client | null>(null);

type State = Pick<SessionState, "session" | "hasEnded" | "number">;

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [state, setState] = useState<State>(() => ({ session: readSession(), hasEnded: false, number: 0 }));
  const { session, hasEnded, number } = state;
  /** The key of the session, as requests that are under way have to know it. */
  const key = useRef(session?.key ?? null);
  /** The requests that wait for the next sign-in. */
  const waiting = useRef<((key: string | null) => void)[]>([]);
  const change = useCallback((to: Session | null, isRenewed: boolean): void => {
    keepSession(to);
    key.current = to?.key ?? null;
    setState((was) => ({ session: to, hasEnded: false, number: was.number + (isRenewed ? 0 : 1) }));
    for (const go of waiting.current.splice(0)) go(isRenewed ? key.current : null);
  }, []);
  const renewed = useCallback<Renewed>((refused, lost) => {
    // The answer to a request with an earlier key may come after the sign-in.
    if (key.current !== refused) return Promise.resolve(key.current);
    // A reload asks for a key at once.
    keepSession(null);
    setState((was) => ({ ...was, hasEnded: true }));
    const release = holdSession(() => lost);
    return new Promise<string | null>((go) => void waiting.current.push(go)).finally(release);
  }, []);
  const given: SessionState = {
    ...state,
    signIn: (to) => {
      if (hasEnded && session && isOfSamePerson(session, to)) change(to, true);
      else leaveSessionBy(() => change(to, false));
    },
    signOut: () =>
      leaveSessionBy(() => {
        if (session) endAtService(session);
        change(null, false);
      }),
    renewed,
  };
  // One store for each person: nothing that one key read is shown to the next.
  const queries = useMemo(newQueryClient, [number]);
  const readWith = useRef({ queries, key: session?.key });
  useEffect(() => {
    const before = readWith.current;
    readWith.current = { queries, key: session?.key };
    if (before.queries === queries && before.key !== session?.key) readAnew(queries);
  }, [queries, session]);
  const client = useMemo(() => session && clientOf(session, renewed), [session, renewed]);
  return (
    <SessionContext.Provider value={given}>
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

/** Returns the session of a page that only a signed-in reader is shown. */
export function useSession(): Session {
  const { session } = useSessionState();
  if (!session) throw new Error("There is no session: this page is for a signed-in reader");
  return session;
}

/** Returns the client of the session, and the space for paths. */
export function useApi(): { api: Client["api"]; client: Client; path: { spaceName: string } } {
  const client = useContext(ClientContext);
  const { space } = useSession();
  if (!client) throw new Error("There is no session: this page is for a signed-in reader");
  return useMemo(() => ({ api: client.api, client, path: { spaceName: space } }), [client, space]);
}

export const useMay = (needed: Role): boolean => may(useSession(), needed);
