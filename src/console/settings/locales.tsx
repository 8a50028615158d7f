/** The languages of the space: their order, the fallback of each, and the values that are deleted with a language. */
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { faultsAt, faultsOf, hasLosses, isConflict, otherFaults } from "../api/faults.ts";
import { localesIn, useChangeSettings, type Locale } from "../api/space.ts";
import { languageName } from "../lib/languages.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Card } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import "./locales.css";

/** Returns a code in its usual form, or as it was written if it is none. */
function usual(code: string): string {
  try {
    return Intl.getCanonicalLocales(code.trim())[0] ?? code;
  } catch {
    return code.trim();
  }
}

const isSame = (one: readonly Locale[], other: readonly Locale[]): boolean =>
  JSON.stringify(one.map(({ code, fallback }) => [code, fallback ?? ""])) ===
  JSON.stringify(other.map(({ code, fallback }) => [code, fallback ?? ""]));

interface RowProps {
  locale: Locale;
  locales: readonly Locale[];
  at: number;
  mayChange: boolean;
  faults: readonly string[];
  onChange: (to: Locale) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function Row({ locale, locales, at, mayChange, faults, onChange, onMove, onRemove }: RowProps) {
  const { code, fallback } = locale;
  const name = languageName(code);
  return (
    <li class="locale">
      <div class="locale-line">
        <span class="locale-name">
          {name} <code>{code}</code>
          {at === 0 && <span class="badge">default</span>}
        </span>
        <label class="locale-fallback">
          <span>Falls back to</span>
          <select
            class="select"
            aria-label={`${name} falls back to`}
            value={fallback ?? ""}
            disabled={!mayChange}
            onChange={({ currentTarget: { value } }) =>
              onChange(value === "" ? { code } : { code, fallback: value })
            }
          >
            <option value="">nothing</option>
            {locales
              .filter((one) => one.code !== code)
              .map((one) => (
                <option key={one.code} value={one.code}>
                  {languageName(one.code)}
                </option>
              ))}
          </select>
        </label>
        {mayChange && (
          <span class="locale-ways">
            <IconButton
              name={`${name} up`}
              icon={<ArrowUp />}
              disabled={at === 0}
              onClick={() => onMove(-1)}
            />
            <IconButton
              name={`${name} down`}
              icon={<ArrowDown />}
              disabled={at === locales.length - 1}
              onClick={() => onMove(1)}
            />
            <IconButton name={`Remove ${name}`} icon={<Trash2 />} onClick={onRemove} />
          </span>
        )}
      </div>
      {faults.length > 0 && <p class="field-faults">{faults.join("; ")}</p>}
    </li>
  );
}

interface DropProps {
  codes: readonly string[];
  message: string;
  isBusy: boolean;
  onDrop: () => void;
  onClose: () => void;
}

/** Returns a language as the setting takes it. */
const asSent = ({ code, fallback }: Locale): { code: string; fallback?: string } =>
  fallback === undefined ? { code } : { code, fallback };

/** Asks before values are dropped: the service has said that there are some. */
function Drop({ codes, message, isBusy, onDrop, onClose }: DropProps) {
  const names = codes.map(languageName).join(", ");
  return (
    <Dialog
      title={`Remove ${names}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={isBusy} onClick={onDrop}>
            Remove with its values
          </Button>
        </>
      }
    >
      <p>{message}</p>
      <p class="field-hint">
        Values of {names} are not shown any more. They are kept as long as what is in the trash, and return if
        the language is added again until then.
      </p>
    </Dialog>
  );
}

export function Locales({ locales, mayChange }: { locales: readonly Locale[]; mayChange: boolean }) {
  const { mutate, isPending, error, reset } = useChangeSettings();
  const [draft, setDraft] = useState<readonly Locale[]>(locales);
  const [code, setCode] = useState("");
  const isDirty = !isSame(draft, locales);
  useUnsaved(isDirty ? "The languages" : null);
  const removed = locales
    .filter((one) => draft.every((other) => other.code !== one.code))
    .map((one) => one.code);
  const asksToDrop = isConflict(error) && removed.length > 0 && hasLosses(error);
  const faults = faultsOf(asksToDrop ? null : error);

  const change = (to: readonly Locale[]): void => {
    reset();
    const codes = new Set(to.map((one) => one.code));
    // A language that is removed is no other one's fallback.
    setDraft(to.map((one) => (one.fallback && codes.has(one.fallback) ? one : { code: one.code })));
  };
  const move = (at: number, by: -1 | 1): void => {
    const moved = draft[at];
    if (moved) change(draft.toSpliced(at, 1).toSpliced(at + by, 0, moved));
  };
  const add = (): void => {
    const added = usual(code);
    if (added === "" || draft.some((one) => one.code.toLowerCase() === added.toLowerCase())) return;
    const [first] = draft;
    change([...draft, first ? { code: added, fallback: first.code } : { code: added }]);
    setCode("");
  };
  const save = (dropLocales: readonly string[]): void =>
    mutate(
      { locales: draft.map(asSent), ...(dropLocales.length > 0 && { dropLocales: [...dropLocales] }) },
      {
        onSuccess: (settings) => {
          setDraft(localesIn(settings));
          notify("Languages saved");
        },
      },
    );
  return (
    <Card title="Languages">
      <p class="settings-lead">
        Fields that differ by language have a value for each of these. The first one is the default. A page
        may ask for the values of the fallback where one is missing.
      </p>
      {draft.length > 0 && (
        <ol class="locales">
          {draft.map((locale, at) => (
            <Row
              key={locale.code}
              locale={locale}
              locales={draft}
              at={at}
              mayChange={mayChange}
              faults={faultsAt(faults, `locales.${at}`)}
              onChange={(to) => change(draft.with(at, to))}
              onMove={(by) => move(at, by)}
              onRemove={() => change(draft.toSpliced(at, 1))}
            />
          ))}
        </ol>
      )}
      {faults.size > 0 && (
        <p class="form-faults" role="alert">
          {otherFaults(
            faults,
            draft.map((_, at) => `locales.${at}`),
          ).join("; ") || "Not saved: a language needs another look."}
        </p>
      )}
      {mayChange && (
        <div class="locales-add">
          <Field
            label="Add a language"
            hint={code.trim() ? languageName(usual(code)) : "Its code, such as en or de-AT."}
          >
            {(control) => (
              <input
                {...control}
                class="input mono"
                value={code}
                spellcheck={false}
                autocapitalize="none"
                onInput={(event) => setCode(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === "Enter") add();
                }}
              />
            )}
          </Field>
          <Button icon={<Plus />} disabled={code.trim() === ""} onClick={add}>
            Add
          </Button>
          {isDirty && (
            <Button kind="solid" busy={isPending} onClick={() => save([])}>
              Save languages
            </Button>
          )}
        </div>
      )}
      {asksToDrop && (
        <Drop
          codes={removed}
          message={error.message.replace(/ Name them in "dropLocales".*$/, "")}
          isBusy={isPending}
          onDrop={() => save(removed)}
          onClose={() => reset()}
        />
      )}
    </Card>
  );
}
