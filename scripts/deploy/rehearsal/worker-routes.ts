/** Workers: uploads, versions, deployments, secrets, addresses. */
import { type Account, bindingsOf, newWorker, type Worker } from "./account.ts";
import { answer, type ApiRequest, type ApiResponse, refuse, type Routes } from "./route.ts";
import { addVersion, readMetadata } from "./upload.ts";

const missing = refuse(404, 10007, "This Worker does not exist on your account.");

/** Answers for a Worker that is there, and 404 with Cloudflare's code for one that is not. */
const forWorker =
  (handle: (worker: Worker, request: ApiRequest, account: Account) => ApiResponse | Promise<ApiResponse>) =>
  (account: Account, request: ApiRequest): ApiResponse | Promise<ApiResponse> => {
    const worker = account.workers.get(request.params["name"] ?? "");
    return worker ? handle(worker, request, account) : missing;
  };

const uploaded = (id: string) => ({
  id,
  etag: id,
  deployment_id: id.replaceAll("-", ""),
  startup_time_ms: 5,
});

const deploymentsOf = ({ deployed }: Worker) =>
  deployed
    ? [{ id: deployed, strategy: "percentage", versions: [{ version_id: deployed, percentage: 100 }] }]
    : [];

const addressOf = (account: Account, { name }: Worker) =>
  account.subdomain === null ? {} : { url: `https://${name}.${account.subdomain}.workers.dev` };

export const workerRoutes: Routes = {
  "GET /workers/services/:name": (account, { params }) => {
    const worker = account.workers.get(params["name"] ?? "");
    if (!worker) return refuse(404, 10090, "workers.api.error.service_not_found");
    const { name, tag, migrationTag } = worker;
    const script = {
      id: name,
      tag,
      tags: [],
      last_deployed_from: "wrangler",
      ...(migrationTag && { migration_tag: migrationTag }),
    };
    return answer({ id: name, default_environment: { environment: "production", script } });
  },
  "GET /workers/workers/:name": forWorker((worker, _, account) => {
    const subdomain = {
      enabled: worker.onWorkersDev,
      previews_enabled: false,
      ...addressOf(account, worker),
    };
    return answer({ id: worker.tag, name: worker.name, subdomain });
  }),
  "PUT /workers/scripts/:name": async (account, { params, form }) => {
    const name = params["name"] ?? "";
    const worker = account.workers.get(name) ?? newWorker(name);
    const id = addVersion(account, worker, await readMetadata(await form()));
    if (typeof id !== "string") return id;
    worker.deployed = id;
    return answer(uploaded(id));
  },
  "POST /workers/scripts/:name/versions": forWorker(async (worker, { form }, account) => {
    const id = addVersion(account, worker, await readMetadata(await form()));
    return typeof id === "string"
      ? answer({ id, resources: { script: { etag: id } }, startup_time_ms: 5 })
      : id;
  }),
  "GET /workers/scripts/:name/versions/:version": forWorker((worker, { params }) => {
    const version = worker.versions.find(({ id }) => id === params["version"]);
    return version ? answer({ id: version.id, resources: {} }) : refuse(404, 10007, "No such version.");
  }),
  "GET /workers/scripts/:name/deployments": forWorker((worker) =>
    answer({ deployments: deploymentsOf(worker) }),
  ),
  "POST /workers/scripts/:name/deployments": forWorker((worker, { json }) => {
    const [version] = json()["versions"] as { version_id: string }[];
    worker.deployed = version?.version_id ?? null;
    return answer({ id: worker.deployed });
  }),
  "PATCH /workers/scripts/:name/script-settings": forWorker((worker, { json }) => {
    Object.assign(worker.settings, json());
    return answer(worker.settings);
  }),
  "GET /workers/scripts/:name/settings": forWorker((worker) => answer({ bindings: bindingsOf(worker) })),
  "GET /workers/scripts/:name/secrets": forWorker((worker) => {
    const secrets = bindingsOf(worker).filter(({ type }) => type === "secret_text");
    return answer(secrets.map(({ name, type }) => ({ name, type })));
  }),
  "GET /workers/subdomain": ({ subdomain }) =>
    subdomain === null
      ? refuse(404, 10007, "You do not have a workers.dev subdomain.")
      : answer({ subdomain }),
  "POST /workers/scripts/:name/subdomain": forWorker((worker, { json }) => {
    worker.onWorkersDev = json()["enabled"] === true;
    return answer({ enabled: worker.onWorkersDev, previews_enabled: false });
  }),
  "PUT /workers/scripts/:name/schedules": forWorker((worker, { json }) => {
    worker.crons = (json() as unknown as { cron: string }[]).map(({ cron }) => cron);
    return answer({ schedules: worker.crons });
  }),
};
