/** Reads what V8 counts in a Worker's isolate, through its inspector. */

const ANSWER_WITHIN_MS = 5000;
/** The Workers by the names under which an inspector lists them. The runtime's own Workers are also listed. */
const TARGETS = { builder: "core:user:silverprint-builder", edge: "core:user:silverprint" } as const;

export interface HeapUsage {
  /** JavaScript objects, live or not yet collected. */
  usedSize: number;
  /** The pages that hold them, with the free space in them. */
  totalSize: number;
  /** The runtime's own objects behind them. */
  embedderHeapUsedSize: number;
  /** ArrayBuffers. WebAssembly memories are not among them. */
  backingStorageSize: number;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Message {
  id?: number;
  method?: string;
  params?: { context?: { id: number } };
  result?: unknown;
}

/** A handle of a JavaScript object in the Worker. */
interface Remote {
  objectId: string;
}

/** A connection to a Worker's inspector. While it is open, the debugger runs, which slows the Worker. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, Waiting>();
  #asked = 0;
  #contextId: number | null = null;
  #memories: Remote | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Message);
    // The service starts a Worker again whose source has changed: its inspector is gone then.
    socket.onclose = () => {
      for (const answer of this.#answers.values()) answer.reject(new Error("the inspector has closed"));
    };
  }

  /** @throws Error when the inspector does not answer */
  static async open(inspectorPort: number, worker: keyof typeof TARGETS = "builder"): Promise<Inspector> {
    const listed = await fetch(`http://127.0.0.1:${inspectorPort}/json`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const targets = (await listed.json()) as { id: string; webSocketDebuggerUrl: string }[];
    const target = targets.find(({ id }) => id === TARGETS[worker]);
    if (!target) throw new Error(`the ${worker} is not listed by its inspector`);
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("the inspector refused a connection"));
    });
    return new Inspector(socket);
  }

  usage(): Promise<HeapUsage> {
    return this.#ask<HeapUsage>("Runtime.getHeapUsage");
  }

  /**
   * Counts live objects only. The listing is what collects the garbage: `HeapProfiler.collectGarbage` is done by a task that
   * an idle Worker never gets to.
   */
  async liveUsage(): Promise<HeapUsage> {
    await this.arrayBuffers();
    return this.usage();
  }

  /** Lists the lengths of the live ArrayBuffers, in bytes. V8 collects garbage before it answers. */
  async arrayBuffers(): Promise<number[]> {
    const found = await this.#instancesOf("ArrayBuffer");
    const lengths = await this.#mapped(found, "(buffer) => buffer.byteLength");
    await this.#ask("Runtime.releaseObject", { ...found });
    return lengths;
  }

  /** Lists the lengths of the WebAssembly memories that there were at the first call, in bytes. That call collects garbage. */
  async memories(): Promise<number[]> {
    this.#memories ??= await this.#instancesOf("WebAssembly.Memory");
    return this.#mapped(this.#memories, "(memory) => memory.buffer.byteLength");
  }

  close(): void {
    this.#socket.close();
  }

  /** Returns a handle of an array of all live objects of a class. */
  async #instancesOf(className: string): Promise<Remote> {
    const contextId = await this.#context();
    const expression = `${className}.prototype`;
    const { result } = await this.#ask<{ result: Remote }>("Runtime.evaluate", { expression, contextId });
    const prototypeObjectId = result.objectId;
    const { objects } = await this.#ask<{ objects: Remote }>("Runtime.queryObjects", { prototypeObjectId });
    await this.#ask("Runtime.releaseObject", { objectId: prototypeObjectId });
    return { objectId: objects.objectId };
  }

  async #mapped({ objectId }: Remote, each: string): Promise<number[]> {
    const { result } = await this.#ask<{ result: { value: number[] } }>("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: `function () { return this.map(${each}); }`,
      returnByValue: true,
    });
    return result.value;
  }

  async #context(): Promise<number> {
    if (this.#contextId === null) await this.#ask("Runtime.enable");
    if (this.#contextId === null) throw new Error("the Worker has no JavaScript context");
    return this.#contextId;
  }

  /** @throws Error when the connection ends before the answer */
  #ask<Result>(method: string, params: object = {}): Promise<Result> {
    if (this.#socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new Error("the inspector has closed"));
    const id = ++this.#asked;
    return new Promise<Result>((resolve, reject) => {
      this.#answers.set(id, { resolve: (result) => resolve(result as Result), reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #take({ id, method, params, result }: Message): void {
    if (method === "Runtime.executionContextCreated") this.#contextId = params?.context?.id ?? null;
    if (id === undefined) return;
    this.#answers.get(id)?.resolve(result);
    this.#answers.delete(id);
  }
}
