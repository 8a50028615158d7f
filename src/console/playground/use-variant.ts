/** Asks for a variant as a visitor's browser would, again and again until it is built, and returns the last answer. */
import { useEffect, useState } from "preact/hooks";

export interface Variant {
  /** A `blob:` address of the delivered file. */
  address: string | null;
  /** `X-Service-Transform`; "master" where no transformation was asked for. */
  state: string;
  mime: string;
  bytes: number;
  /** From the first byte asked to the last byte read. */
  ms: number;
  width: number | null;
  /** The state of the first answer, if it was another one. */
  firstState: string | null;
  /** From the first request to the variant. */
  readyMs: number | null;
  fault: string | null;
}

const POLL_MS = 500;
const POLLS_MAX = 120;
const UNDER_WAY = ["queued", "coalesced", "overloaded"];

const faultOf = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  return body.error?.message ?? `The service answered ${response.status}.`;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function useVariant(path: string, accept: string): Variant | null {
  const [variant, setVariant] = useState<Variant | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    const addresses: string[] = [];
    const began = performance.now();
    let firstState: string | null = null;
    /** Asks once. @returns whether the answer is final */
    const ask = async (): Promise<boolean> => {
      const asked = performance.now();
      const response = await fetch(path, {
        headers: { Accept: accept },
        cache: "no-store",
        signal: ended.signal,
      });
      const { headers } = response;
      if (!response.ok) {
        const fault = await faultOf(response);
        // A newer request replaces this answer.
        if (!ended.signal.aborted) setVariant({ ...NOTHING, fault });
        return true;
      }
      const blob = await response.blob();
      const state = headers.get("X-Service-Transform") ?? "master";
      firstState ??= state;
      const address = URL.createObjectURL(blob);
      addresses.push(address);
      const width = Number(headers.get("X-Service-Width"));
      setVariant({
        address,
        state,
        mime: blob.type,
        bytes: blob.size,
        ms: Math.round(performance.now() - asked),
        width: width > 0 ? width : null,
        firstState: firstState === state ? null : firstState,
        readyMs: firstState === state ? null : Math.round(performance.now() - began),
        fault: null,
      });
      return !UNDER_WAY.includes(state);
    };
    const run = async (): Promise<void> => {
      for (let polls = 0; !(await ask()) && polls < POLLS_MAX; polls++) {
        await pause(POLL_MS);
        if (ended.signal.aborted) return;
      }
    };
    run().catch((error: unknown) => {
      if (!ended.signal.aborted) setVariant({ ...NOTHING, fault: String(error) });
    });
    return () => {
      ended.abort();
      for (const address of addresses) URL.revokeObjectURL(address);
    };
  }, [path, accept]);
  return variant;
}

const NOTHING: Variant = {
  address: null,
  state: "",
  mime: "",
  bytes: 0,
  ms: 0,
  width: null,
  firstState: null,
  readyMs: null,
  fault: null,
};
