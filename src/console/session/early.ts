/**
 * The data that the first page reads, asked for while the console's scripts are still loading. `first.ts` asks, in the
 * page's own text; the client takes the answers. An answer that the client does not take is lost, nothing more.
 */
import { may, type Session } from "./kept.ts";

interface Early {
  /** The key that the answers are for. */
  key: string;
  /** By address. Each is taken once. */
  answers: Map<string, Promise<Response>>;
}

declare global {
  interface Window {
    silverprintEarly?: Early;
  }
}

/** Returns the first requests of a page, as paths below the space's: the same as its queries ask (`api/`). */
function pathsOf(session: Session, [place, first, second, id]: readonly string[], search: string): string[] {
  if (place === "media" && first === undefined) return search === "" ? ["media?limit=60&count=true"] : [];
  if (place === "media") return [`media/${first}`];
  if (place === "models") return ["models?limit=100"];
  if (place !== "content") return [];
  const isPage = first === "pages";
  if (second === undefined || id === "new" || (id === undefined && !isPage)) return ["models?limit=100"];
  const status = may(session, "preview") ? "?status=draft" : "";
  return ["models?limit=100", `data/${first}/${second}/${id ?? second}${status}`];
}

export function askEarly(session: Session, { origin, pathname, search }: Location): void {
  const [, , space, ...places] = pathname.split("/");
  if (space !== session.space) return;
  const headers = { Authorization: `Bearer ${session.key}` };
  const answers = new Map(
    pathsOf(session, places, search).map((path) => {
      const address = `${origin}/api/v1/${space}/${path}`;
      const answer = fetch(address, { headers });
      // An error is passed to the caller that takes the answer.
      answer.catch(() => undefined);
      return [address, answer];
    }),
  );
  window.silverprintEarly = { key: session.key, answers };
}

export function takeEarly({ method, url }: Request, key: string): Promise<Response> | undefined {
  const early = window.silverprintEarly;
  if (!early || early.key !== key || method !== "GET") return undefined;
  const answer = early.answers.get(url);
  early.answers.delete(url);
  return answer;
}
