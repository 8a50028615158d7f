/**
 * Both Workers in runtimes of this machine. Each has a process and a folder for its data of its own: two processes must
 * not open the same local R2 or D1, and the edge Worker reads a master while the builder decodes it.
 */
import { convertV4MiniflareOptions, Log, LogLevel, type Miniflare, type V4WorkerOptions } from "miniflare";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFresh, type LocalWorker, localWorker, type WorkerName } from "./bundle.ts";
import { localDatabases } from "./databases.ts";
import { withCountersInMemory } from "./flood-counters.ts";
import { migrate } from "./migrate.ts";
import type { WorkerOutput } from "./output.ts";
import { newRuntime } from "./runtime.ts";
import { sourceNames } from "./source-names.ts";

export interface LocalSettings {
  /** Where the edge Worker answers. */
  port: number;
  /** Where DevTools find each Worker. Null: nowhere. */
  inspectorPorts: Record<WorkerName, number> | null;
  dataDir: string;
  /** How many databases there are. */
  databases: number;
  /** Variables of the edge Worker, beside those of its configuration. */
  variables: Record<string, string>;
  /** Changes the edge Worker before it starts, for measurements. */
  changeEdge?: (options: V4WorkerOptions) => V4WorkerOptions;
  outputs: Record<WorkerName, WorkerOutput>;
  /** Called when the runtime of a Worker has ended and could not be started again. */
  onLost: (name: WorkerName) => void;
}

/** The messages of Miniflare itself, as far as they concern the developer who starts the service. */
class RuntimeLog extends Log {
  readonly #output: WorkerOutput;
  readonly #onLost: () => void;

  constructor(output: WorkerOutput, onLost: () => void) {
    super(LogLevel.WARN);
    this.#output = output;
    this.#onLost = onLost;
  }

  protected override log(message: string): void {
    this.#output.take(message, true);
  }

  override error(error: Error): void {
    this.#output.take(error.stack ?? error.message, true);
    if ("code" in error && error.code === "ERR_RUNTIME_FAILURE") this.#onLost();
  }
}

const NAMES = ["builder", "edge"] as const;

export class LocalWorkers {
  readonly #settings: LocalSettings;
  readonly #runtimes = new Map<WorkerName, Miniflare>();
  /** A folder in which the two processes find each other. */
  readonly #registry = mkdtempSync(join(tmpdir(), "silverprint-registry-"));

  constructor(settings: LocalSettings) {
    this.#settings = settings;
  }

  /**
   * Bundles what has changed, brings the database up to date and starts both.
   *
   * @returns where the builder answers
   * @throws Error that says what went wrong
   */
  async start(): Promise<URL> {
    const [builderUrl] = await Promise.all([
      this.#startOne("builder"),
      localWorker("edge").then(() => migrate(this.#settings.dataDir, undefined, this.#settings.databases)),
    ]);
    await this.#startOne("edge");
    return builderUrl;
  }

  /** Starts again the Workers of which a source has changed. @returns their names @throws Error if one cannot be bundled */
  async restartChanged(): Promise<WorkerName[]> {
    const changed = NAMES.filter((name) => !isFresh(name));
    for (const name of changed) await this.#runtimes.get(name)?.setOptions(await this.#optionsOf(name));
    return changed;
  }

  async stop(): Promise<void> {
    // One that could not start says so again.
    await Promise.allSettled([...this.#runtimes.values()].map((runtime) => runtime.dispose()));
    rmSync(this.#registry, { recursive: true, force: true });
  }

  async #startOne(name: WorkerName): Promise<URL> {
    const runtime = newRuntime(await this.#optionsOf(name));
    this.#runtimes.set(name, runtime);
    return runtime.ready;
  }

  async #optionsOf(name: WorkerName): Promise<ReturnType<typeof convertV4MiniflareOptions>> {
    const { port, inspectorPorts, dataDir, outputs, onLost } = this.#settings;
    const output = outputs[name];
    const worker = await localWorker(name);
    const inSources = sourceNames(worker.sourceMap);
    const folder = name === "edge" ? dataDir : join(dataDir, name);
    return convertV4MiniflareOptions({
      ...(name === "edge" ? this.#edge(worker) : worker.options),
      host: "127.0.0.1",
      // The builder is found through the registry.
      port: name === "edge" ? port : 0,
      ...(inspectorPorts && { inspectorPort: inspectorPorts[name] }),
      // Where `wrangler dev --persist-to` keeps its data.
      resourcePersistencePath: join(folder, "v3"),
      unsafeDevRegistryPath: this.#registry,
      // Answers /cdn-cgi/local/scheduled.
      unsafeTriggerHandlers: true,
      // Where the request comes from is the same for all; else it is asked for on the internet.
      cf: false,
      log: new RuntimeLog(output, () => onLost(name)),
      handleStructuredLogs: ({ level, message }) => output.take(inSources(message), level === "error"),
    });
  }

  #edge({ options }: LocalWorker): V4WorkerOptions {
    const { databases, variables, changeEdge = (same: V4WorkerOptions) => same } = this.#settings;
    const d1Databases = localDatabases(databases);
    const edge = { ...options, d1Databases, bindings: { ...options.bindings, ...variables } };
    return changeEdge(withCountersInMemory(edge));
  }
}
