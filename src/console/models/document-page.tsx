/** A document of models, as a team keeps it in its repository: its plan in the service's words, and its changes. */
import { useRef, useState } from "preact/hooks";
import {
  lossesOf,
  readDocument,
  type DocumentEntry,
  type DocumentPlan,
  type ModelsDocument,
} from "../api/document-text.ts";
import { faultsOf } from "../api/faults.ts";
import { useApplyDocument, usePlanDocument, type Applied } from "../api/models-document.ts";
import { useAtRisk } from "../lib/at-risk.ts";
import { counted } from "../lib/format.ts";
import { languageName } from "../lib/languages.ts";
import { useSession } from "../session/context.tsx";
import { BackLink } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Check, Field } from "../ui/field.tsx";
import { Card, Page } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";
import { Obstacles } from "./obstacles.tsx";
import "./models.css";

/** Returns the question whether the values of a loss may go. `@de` names a whole language. */
const lossLabel = (name: string): string =>
  name.startsWith("@")
    ? `Delete the values in ${languageName(name.slice(1))} (${name}) for good`
    : `Delete the values of ${name} for good`;

/** Returns the changes of one model, in words. */
function wordsOf(entry: Exclude<DocumentEntry, { settings: string[] }>): string[] {
  const { added, removed, renamed, changed, options, reordered, records, inBackground } = entry;
  const named = (verb: string, names: readonly string[]): string[] =>
    names.length > 0 ? [`${verb} ${names.join(", ")}`] : [];
  return [
    ...named("adds", added),
    ...named("changes", changed),
    ...named(
      "renames",
      Object.entries(renamed).map(([from, to]) => `${from} → ${to}`),
    ),
    ...named("removes", removed),
    ...named("sets", options),
    ...(reordered ? ["orders the fields anew"] : []),
    ...(records > 0 ? [`concerns ${counted(records, "record")}`] : []),
    ...(inBackground ? ["is made in the background"] : []),
  ];
}

function Entry({ entry }: { entry: DocumentEntry }) {
  if ("settings" in entry)
    return (
      <li>
        <strong>Settings</strong> change: {entry.settings.join(", ")}
      </li>
    );
  const verb = entry.action === "create" ? "is made" : "changes";
  return (
    <li>
      <strong>{entry.model}</strong> {verb}
      {wordsOf(entry).length > 0 && `: ${wordsOf(entry).join("; ")}`}
    </li>
  );
}

const sameWords = (models: number): string =>
  models === 1 ? "1 model stays as it is." : `${counted(models, "model")} stay as they are.`;

interface PlanProps {
  plan: DocumentPlan;
  agreed: readonly string[];
  onAgree: (names: string[]) => void;
}

function Plan({ plan, agreed, onAgree }: PlanProps) {
  const { losses, obstacles } = lossesOf(plan);
  const changes = plan.changes.filter(({ action }) => action !== "none");
  const same = plan.changes.length - changes.length;
  return (
    <Card title="What this document does">
      {changes.length === 0 && <p>Nothing: the space is as the document says.</p>}
      <ul class="document-plan">
        {changes.map((entry) => (
          <Entry key={"settings" in entry ? "settings" : `${entry.typeModel}/${entry.model}`} entry={entry} />
        ))}
      </ul>
      {changes.length > 0 && same > 0 && <p class="field-hint">{sameWords(same)}</p>}
      <Obstacles obstacles={obstacles} />
      {losses.map(({ name, message }) => (
        <Check
          key={name}
          label={lossLabel(name)}
          hint={`${message}. They cannot be brought back.`}
          checked={agreed.includes(name)}
          onChange={(is) => onAgree(is ? [...agreed, name] : agreed.filter((one) => one !== name))}
        />
      ))}
    </Card>
  );
}

/** Shows the faults of a document, or of the text that should be one. */
function Faults({ error }: { error: Error | null }) {
  if (!error) return null;
  const faults = [...faultsOf(error)].flatMap(([path, messages]) =>
    messages.map((message) => (path === "" ? message : `${path} ${message}`)),
  );
  return (
    <ul class="form-faults" role="alert">
      {faults.map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
    </ul>
  );
}

interface Planned {
  document: ModelsDocument;
  plan: DocumentPlan;
}

export function DocumentPage() {
  const { space } = useSession();
  const [text, setText] = useState("");
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [agreed, setAgreed] = useState<readonly string[]>([]);
  const [fault, setFault] = useState<Error | null>(null);
  const planning = usePlanDocument();
  const applying = useApplyDocument();
  const file = useRef<HTMLInputElement>(null);

  /** The text of the field, for answers that come later. */
  const shown = useRef(text);
  useAtRisk(text.trim() === "" ? null : "The document has not been saved.");

  const change = (to: string): void => {
    shown.current = to;
    setText(to);
    setPlanned(null);
    setAgreed([]);
    setFault(null);
  };
  const take = async (given: File | undefined): Promise<void> => {
    if (given) change(await given.text());
  };
  const plan = (): void => {
    setPlanned(null);
    setFault(null);
    try {
      const { document, allowDrop } = readDocument(text);
      // An answer about an earlier text says nothing about this one.
      const whileShown =
        <Answer,>(show: (answer: Answer) => void) =>
        (answer: Answer): void => {
          if (shown.current === text) show(answer);
        };
      planning.mutate(document, {
        onSuccess: whileShown((found) => {
          setPlanned({ document, plan: found });
          // The document allows these losses itself.
          setAgreed(lossesOf(found).losses.flatMap(({ name }) => (allowDrop.includes(name) ? [name] : [])));
        }),
        onError: whileShown(setFault),
      });
    } catch (error) {
      setFault(new Error(`This is no document of models. ${(error as Error).message}`));
    }
  };
  const finish = ({ isComplete, working }: Applied): void => {
    setPlanned(null);
    setAgreed([]);
    notify(
      isComplete
        ? "The models are as the document says"
        : `${working.join(", ")} changes in the background. Show the plan again for the rest.`,
    );
  };
  const apply = ({ document, plan: { hash } }: Planned): void =>
    applying.mutate({ document, hash, allowDrop: [...agreed] }, { onSuccess: finish, onError: setFault });

  const split = planned && lossesOf(planned.plan);
  const hasChanges = planned?.plan.changes.some(({ action }) => action !== "none") === true;
  const mayApply =
    hasChanges && split?.obstacles.length === 0 && split.losses.every(({ name }) => agreed.includes(name));
  return (
    <Page
      title="Models as a document"
      narrow
      above={<BackLink to={`/${space}/models`} />}
      actions={
        planned && (
          <Button
            kind={agreed.length > 0 ? "danger" : "solid"}
            disabled={!mayApply}
            busy={applying.isPending}
            onClick={() => apply(planned)}
          >
            Apply the document
          </Button>
        )
      }
    >
      <Card>
        <Field
          label="Document"
          hint="The JSON of silverprint.config.json, as silverprint pull writes it. Models that it does not name stay as they are. A file can be dropped here."
          faults={[]}
        >
          {(control) => (
            <textarea
              {...control}
              class="input mono document-text"
              spellcheck={false}
              rows={12}
              value={text}
              onInput={(event) => change(event.currentTarget.value)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                const [dropped] = event.dataTransfer?.files ?? [];
                if (!dropped) return;
                event.preventDefault();
                void take(dropped);
              }}
            />
          )}
        </Field>
        <div class="document-actions">
          <Button busy={planning.isPending} disabled={text.trim() === ""} onClick={plan}>
            Show the plan
          </Button>
          <Button onClick={() => file.current?.click()}>Choose a file</Button>
          <input
            ref={file}
            type="file"
            accept=".json,application/json"
            hidden
            onChange={(event) => {
              void take(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
        </div>
        <Faults error={fault} />
      </Card>
      {planned && <Plan plan={planned.plan} agreed={agreed} onAgree={setAgreed} />}
    </Page>
  );
}
