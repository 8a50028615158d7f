/** The order of a deploy. */
import type { Deployment } from "./deployment.ts";
import type { Session, Step } from "./step.ts";
import { bucketStep, lifecycleStep } from "./steps/bucket.ts";
import { databaseStep, replicationStep } from "./steps/database.ts";
import { domainsStep } from "./steps/domains.ts";
import { filesCorsStep, filesRulesSteps } from "./steps/files-domain.ts";
import { migrationStep } from "./steps/migrations.ts";
import { queuesStep } from "./steps/queues.ts";
import { readinessStep } from "./steps/readiness.ts";
import { builderStep, edgeStep } from "./steps/workers.ts";

export const stepsOf = ({ domains, filesHost }: Deployment): Step[] => [
  readinessStep,
  builderStep,
  databaseStep,
  replicationStep,
  bucketStep,
  lifecycleStep,
  queuesStep,
  // Before the Worker that sends visitors there.
  ...(filesHost === null ? [] : [filesCorsStep, ...filesRulesSteps]),
  migrationStep,
  edgeStep,
  ...(domains.length > 0 ? [domainsStep] : []),
];

/** Returns the last lines of a deploy: where the service answers, and how to go back. */
export function farewell({ deployment, addresses, earlierVersions }: Session): string[] {
  const places = [...deployment.domains.map((host) => `https://${host}`), ...addresses];
  // The edge Worker first: the builder understands the orders of an earlier one, not those of a later one.
  const workers = [deployment.edge, deployment.builder];
  const rollbacks = workers.flatMap((worker) => {
    const version = earlierVersions.get(worker);
    return version === undefined ? [] : [`  npx wrangler rollback ${version} --name ${worker}`];
  });
  return [
    "",
    places.length > 0
      ? `The service answers at ${places.join(" and ")}`
      : "The service is deployed without an address.",
    ...(rollbacks.length > 0
      ? [
          "To roll back, in this order (migrations only add, so the earlier version works with this database):",
          ...rollbacks,
        ]
      : ["This was the first deploy: there is no earlier version to roll back to."]),
  ];
}
