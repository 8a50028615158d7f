/**
 * A thread that compiles AssemblyScript modules, one after another. The compiler takes a second to load, and is fast only
 * once its own code has been compiled, so it is loaded once per core and not once per module.
 */
import { parentPort } from "node:worker_threads";
import { main } from "assemblyscript/asc";

parentPort?.on("message", (args: string[]) => {
  let words = "";
  const stderr = { write: (chunk: Uint8Array | string) => void (words += Buffer.from(chunk).toString()) };
  void main(args, { stderr }).then(({ error }) => {
    parentPort?.postMessage(error ? `${error.message}\n${words}` : null);
  });
});
