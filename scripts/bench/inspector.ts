/** Reads what V8 counts in the builder's isolate, through its inspector. */

const ANSWER_WITHIN_MS = 5000;

export interface HeapUsage {
  /** JavaScript objects, live or not yet collected. */
  usedSize: number;
  /** The runtime's own objects behind them. */
  embedderHeapUsedSize: number;
  /** ArrayBuffers. WebAssembly memories are not among them. */
  backingStorageSize: number;
}

/** The bytes of JavaScript, streams and buffers. Null when the inspector does not answer. */
export async function heapBytes(inspectorPort: number): Promise<number | null> {
  try {
    const listed = await fetch(`http://127.0.0.1:${inspectorPort}/json`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const targets = (await listed.json()) as { id: string; webSocketDebuggerUrl: string }[];
    // The others are the runtime's own Workers.
    const target = targets.find(({ id }) => id === "core:user:silverprint-builder");
    if (!target) return null;
    const usage = await ask(target.webSocketDebuggerUrl);
    return usage && usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
  } catch {
    return null;
  }
}

/** Opens a connection for one question: while a connection is open, the debugger runs, which slows builds. */
function ask(url: string): Promise<HeapUsage | null> {
  const socket = new WebSocket(url);
  const answer = new Promise<HeapUsage | null>((resolve) => {
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
    socket.onerror = () => resolve(null);
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as { id?: number; result?: HeapUsage };
      if (message.id === 1) resolve(message.result ?? null);
    };
    setTimeout(() => resolve(null), ANSWER_WITHIN_MS);
  });
  return answer.finally(() => socket.close());
}
