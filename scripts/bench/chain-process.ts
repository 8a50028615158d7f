/** Starts the process of the plain jSquash chain and sends it work. */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ChainAnswer, ChainOrder } from "./plain-chain.ts";

export const startChain = (): ChildProcess =>
  fork(fileURLToPath(new URL("plain-chain.ts", import.meta.url)), { serialization: "advanced" });

/** Runs one piece of work in the process. */
export function askChain(child: ChildProcess, order: ChainOrder): Promise<ChainAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: ChainAnswer): void => {
      child.off("message", settle).off("exit", ended);
      resolve(answer);
    };
    const ended = (): void => settle({ error: "the process ended" });
    child.once("message", settle).once("exit", ended);
    child.send(order, (error) => {
      if (error) ended();
    });
  });
}
