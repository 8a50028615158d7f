/** The checks of the API on an uploaded Worker, before it takes it. */
import { type Account, type Binding, bindingsOf, type Worker } from "./account.ts";
import { COMPLETED } from "./asset-routes.ts";
import { type ApiResponse, refuse } from "./route.ts";

interface MigrationStep {
  new_classes?: string[];
  new_sqlite_classes?: string[];
}

/** The part `metadata` of the form. */
export interface UploadMetadata {
  bindings?: Binding[];
  limits?: { cpu_ms?: number };
  /** The token of the static assets. */
  assets?: { jwt?: string };
  /** Kinds of bindings that the new version takes over from the one before. */
  keep_bindings?: string[];
  migrations?: { old_tag?: string; new_tag: string; steps: MigrationStep[] };
}

export async function readMetadata(form: FormData): Promise<UploadMetadata> {
  const part = form.get("metadata");
  return JSON.parse(part instanceof Blob ? await part.text() : (part ?? "{}")) as UploadMetadata;
}

function badBinding(account: Account, classes: ReadonlySet<string>, binding: Binding): ApiResponse | null {
  const { type, name } = binding;
  if (type === "d1" && !account.databases.has(binding["id"] as string)) {
    return refuse(400, 10021, `binding ${name} of type d1 must have a valid \`id\` specified`);
  }
  if (type === "r2_bucket" && !account.buckets.has(binding["bucket_name"] as string)) {
    return refuse(400, 10085, `R2 bucket '${String(binding["bucket_name"])}' not found.`);
  }
  if (type === "queue" && !account.queues.has(binding["queue_name"] as string)) {
    return refuse(400, 100129, `Queue "${String(binding["queue_name"])}" does not exist.`);
  }
  if (type !== "durable_object_namespace") return null;
  const script = binding["script_name"] as string | undefined;
  const known = script === undefined ? classes : account.workers.get(script)?.classes;
  if (known?.has(binding["class_name"] as string)) return null;
  const where = script === undefined ? "" : ` of script '${script}'`;
  return refuse(
    400,
    10061,
    `Cannot create binding for class '${String(binding["class_name"])}'${where}: it does not exist.`,
  );
}

function badAssets({ assets }: UploadMetadata, { type, name }: Binding): ApiResponse | null {
  if (type !== "assets" || assets?.jwt === COMPLETED) return null;
  return refuse(400, 10021, `binding ${name} of type assets needs the token of a completed upload`);
}

/** Returns the classes that the Worker has after this upload, or the reason why it is refused. */
function migrate(worker: Worker, { migrations }: UploadMetadata): Set<string> | ApiResponse {
  if (!migrations) return worker.classes;
  if ((migrations.old_tag ?? null) !== worker.migrationTag) {
    const current = worker.migrationTag ?? "";
    return refuse(400, 10079, `migration tag precondition failed; current tag is '${current}'`);
  }
  const added = migrations.steps.flatMap((step) => [
    ...(step.new_classes ?? []),
    ...(step.new_sqlite_classes ?? []),
  ]);
  const twice = added.find((name) => worker.classes.has(name));
  if (twice)
    return refuse(400, 10074, `Cannot apply new-class migration to class '${twice}': it exists already`);
  return new Set([...worker.classes, ...added]);
}

/** Adds a version to the Worker. The id of the version, or why it is refused, in which case nothing has changed. */
export function addVersion(account: Account, worker: Worker, metadata: UploadMetadata): string | ApiResponse {
  if (metadata.limits?.cpu_ms !== undefined && account.plan === "free") {
    return refuse(400, 100328, "CPU limits are not supported for the Free plan.");
  }
  const classes = migrate(worker, metadata);
  if (!(classes instanceof Set)) return classes;
  for (const binding of metadata.bindings ?? []) {
    const refused = badBinding(account, classes, binding) ?? badAssets(metadata, binding);
    if (refused) return refused;
  }
  // A binding that is to stay as it was is named without what it leads to.
  const given = (metadata.bindings ?? []).map((binding) =>
    binding.type === "inherit"
      ? (bindingsOf(worker).find(({ name }) => name === binding.name) ?? binding)
      : binding,
  );
  const kept = bindingsOf(worker).filter(
    ({ type, name }) =>
      metadata.keep_bindings?.includes(type) && given.every((binding) => binding.name !== name),
  );
  const id = crypto.randomUUID();
  worker.versions.push({ id, bindings: [...given, ...kept] });
  worker.classes = classes;
  worker.migrationTag = metadata.migrations?.new_tag ?? worker.migrationTag;
  account.workers.set(worker.name, worker);
  return id;
}
