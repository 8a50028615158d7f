/** A service whose edge is killed again and again. Each time it starts by itself. */
import { setTimeout } from "node:timers/promises";
import { startService, type Service } from "../../../scripts/harness/service.ts";

const POLL_MS = 5;
/** The edge takes some 2 s to start again. One that takes this long does not start at all. */
const START_MAX_MS = 180_000;

export class Victim {
  readonly service: Service;
  /** Is aborted when the test has ended, whether its work has or not. */
  readonly givenUp: AbortSignal;
  kills = 0;
  /** Whether a kill came and the edge has not answered since. */
  isDown = false;
  #back: Promise<void> = Promise.resolve();

  private constructor(service: Service, givenUp: AbortSignal) {
    this.service = service;
    this.givenUp = givenUp;
  }

  static async start(dataDir: string, env: Record<string, string>, givenUp: AbortSignal): Promise<Victim> {
    // A key of a stream writes more in a minute than an editor may.
    const service = await startService({ dataDir, env: { LOG_SAMPLE: "0", API_RATE: "1000000", ...env } });
    return new Victim(service, givenUp);
  }

  /** Resolves when the edge answers again. */
  back(): Promise<void> {
    return this.#back;
  }

  /** Lets time pass. @throws Error when the test has ended */
  async pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.givenUp });
  }

  /** Kills the edge's process (SIGKILL) after a time, with whatever it does then, and waits until it answers again. */
  async killAfter(ms: number): Promise<void> {
    const pid = await this.service.edgePid();
    await this.pause(ms);
    process.kill(pid, "SIGKILL");
    this.kills += 1;
    this.isDown = true;
    this.#back = this.#answers(pid);
    await this.#back;
  }

  async #answers(killed: number): Promise<void> {
    const deadline = Date.now() + START_MAX_MS;
    const until = async (isTrue: () => Promise<boolean>): Promise<void> => {
      while (!(await isTrue())) {
        if (Date.now() > deadline)
          throw new Error(`The edge does not start again after a kill:\n${this.service.output()}`);
        await this.pause(POLL_MS);
      }
    };
    await until(async () => (await this.service.edgePid().catch(() => killed)) !== killed);
    await until(() =>
      fetch(`${this.service.base}/healthz`, { signal: this.givenUp }).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    this.isDown = false;
  }
}
