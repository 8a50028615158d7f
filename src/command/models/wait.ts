/** Waits for changes of models that the service makes in the background, because of the number of records. */
import type { Context } from "../form/command.ts";
import { Failure } from "../base/failure.ts";
import type { Service } from "../service/service.ts";
import type { BackgroundChange, WorkingChange } from "./api.ts";

const POLL_MS = 2000;

async function waitForOne(
  { output, world }: Pick<Context, "output" | "world">,
  service: Service,
  { typeModel, model }: WorkingChange,
): Promise<void> {
  const name = `${typeModel}/${model}`;
  const read = async (): Promise<BackgroundChange> =>
    (await service.json<{ data: BackgroundChange }>("GET", `/models/${name}/change`)).data;
  let change = await read();
  if (change.state !== "working") {
    finish(change, name);
    return;
  }
  output.note(`${name} is being changed in the background: ${change.records} records.`);
  const bar = output.progress(name, change.records);
  let shown = 0;
  while (change.state === "working") {
    bar.advance(change.checked - shown);
    shown = change.checked;
    await world.sleep(POLL_MS);
    change = await read();
  }
  bar.end(`${name}: ${change.state}`);
  finish(change, name);
}

/** @throws Failure for a change that was not made */
function finish({ state, conflicts }: BackgroundChange, name: string): void {
  switch (state) {
    case "done":
    case "working":
      return;
    case "refused":
      throw new Failure(`The change of ${name} was refused, and the model is as it was.`, {
        details: conflicts,
        next: "Mend the records that it names, or the document, and run the command again.",
      });
    case "withdrawn":
      throw new Failure(`The change of ${name} was withdrawn by an admin.`, {
        next: "Ask why, and run it again.",
      });
    default:
      state satisfies never;
  }
}

/** Waits until all changes are made. @throws Failure when one is refused or withdrawn */
export async function waitFor(
  context: Pick<Context, "output" | "world">,
  service: Service,
  working: readonly WorkingChange[],
): Promise<void> {
  for (const one of working) await waitForOne(context, service, one);
}
