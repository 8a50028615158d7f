/** The review of a model change: its effect on the records, as a dry run of the service tells it. */
import { useState } from "preact/hooks";
import type { PlannedChange } from "../api/models.ts";
import { useLocales, type Locale } from "../api/space.ts";
import { counted } from "../lib/format.ts";
import { languageName } from "../lib/languages.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Check } from "../ui/field.tsx";
import { Obstacles } from "./obstacles.tsx";

interface ReviewProps {
  plan: PlannedChange;
  /** Fields that differ by language, and by this change do not any more. */
  unified: readonly string[];
  /** The error of the attempt to make the change; null before it. */
  fault: Error | null;
  isBusy: boolean;
  /** @param drop fields whose values are lost */
  onApply: (drop: string[]) => void;
  onClose: () => void;
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div class="review-names">
      <dt>{title}</dt>
      <dd>
        {names.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </dd>
    </div>
  );
}

type Conflict = PlannedChange["conflicts"][number];

/** Values that the change would delete. */
interface Loss {
  path: string;
  label: string;
  /** The records that hold such values. */
  holding: readonly number[];
  /** The names by which the request allows it. */
  drop: readonly string[];
}

/** Returns what is lost of one field. Its values in one language are `field@locale`; those of the first one stay. */
function lossOf(
  path: string,
  conflicts: readonly Conflict[],
  isRemoved: boolean,
  others: readonly Locale[],
): Loss {
  const holding = conflicts.filter((one) => one.path === path).map(({ records }) => records);
  if (isRemoved) return { path, holding, label: `Delete the values of ${path} for good`, drop: [path] };
  const languages = others.map(({ code }) => languageName(code)).join(", ");
  const drop = others.map(({ code }) => `${path}@${code}`);
  return { path, holding, label: `Delete the values of ${path} in ${languages} for good`, drop };
}

export function Review({ plan, unified, fault, isBusy, onApply, onClose }: ReviewProps) {
  const { added, removed, renamed, changed, conflicts, records } = plan;
  const others = useLocales().slice(1);
  const lost = (path: string): boolean => removed.includes(path) || unified.includes(path);
  const paths = [...new Set(conflicts.map(({ path }) => path))].filter(lost);
  const losses = paths.map((path) => lossOf(path, conflicts, removed.includes(path), others));
  const obstacles = conflicts.filter(({ path }) => !lost(path));
  const [agreed, setAgreed] = useState<readonly string[]>([]);
  const isAgreed = losses.every(({ path }) => agreed.includes(path));
  return (
    <Dialog
      title="What this change does"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button
            kind={losses.length > 0 ? "danger" : "solid"}
            disabled={obstacles.length > 0 || !isAgreed}
            busy={isBusy}
            onClick={() =>
              onApply(losses.filter(({ path }) => agreed.includes(path)).flatMap(({ drop }) => drop))
            }
          >
            Change model
          </Button>
        </>
      }
    >
      <p>It concerns {counted(records, "record")}, those in the trash included.</p>
      <dl class="review">
        <Names title="Added" names={added} />
        <Names title="Changed" names={changed} />
        <Names title="Renamed" names={Object.entries(renamed).map(([from, to]) => `${from} → ${to}`)} />
        <Names title="Removed" names={removed} />
      </dl>
      <Obstacles obstacles={obstacles} />
      {losses.map(({ path, label, holding }) => (
        <Check
          key={path}
          label={label}
          hint={`${counted(Math.max(...holding), "record holds one", "records hold one")}. They cannot be brought back.`}
          checked={agreed.includes(path)}
          onChange={(is) => setAgreed(is ? [...agreed, path] : agreed.filter((name) => name !== path))}
        />
      ))}
      {fault && (
        <p class="form-faults" role="alert">
          {fault.message}
        </p>
      )}
    </Dialog>
  );
}
