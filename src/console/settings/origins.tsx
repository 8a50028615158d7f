/** The servers whose pictures the space serves: the setting, and what was fetched from each of them. */
import { ArrowUp, Check, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { faultsAt, faultsOf, otherFaults } from "../api/faults.ts";
import { useOrigins, type RemoteOrigin } from "../api/origins.ts";
import { useChangeSettings } from "../api/space.ts";
import { bytes, count, counted } from "../lib/format.ts";
import { Ago } from "../ui/ago.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Card } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";
import { Fetches } from "./fetches.tsx";
import "../ui/data.css";
import "./origins.css";

interface RowProps {
  origin: string;
  /** Undefined until the counts are read. */
  counts: RemoteOrigin | undefined;
  /** The place in the setting; -1 for an origin that was removed from it. */
  at: number;
  mayChange: boolean;
  faults: readonly string[];
  onMoveUp: () => void;
  onRemove: () => void;
}

function Row({ origin, counts, at, mayChange, faults, onMoveUp, onRemove }: RowProps) {
  return (
    <tr>
      <td class="origins-address">
        <code>{origin}</code> {at === 0 && <span class="badge">first</span>}
        {at < 0 && <span class="badge badge-warn">not served</span>}
        {faults.length > 0 && <p class="data-reason">{faults.join("; ")}</p>}
      </td>
      <td class="data-number numbers" data-label="Pictures">
        {counts ? count(counts.pictures) : "–"}
      </td>
      <td class="data-number numbers">{counts ? bytes(counts.bytes) : "–"}</td>
      <td class="data-number numbers" data-label="Fetched">
        {counts ? count(counts.fetched) : "–"}
      </td>
      <td class="data-number numbers" data-label="Failed">
        {counts ? count(counts.failed) : "–"}
      </td>
      <td data-label="Last">{counts?.lastFetchAt ? <Ago time={counts.lastFetchAt} /> : "–"}</td>
      {mayChange && (
        <td class="origins-changes">
          {at >= 0 && (
            <span class="origins-ways">
              <IconButton name={`${origin} up`} icon={<ArrowUp />} disabled={at === 0} onClick={onMoveUp} />
              <IconButton name={`Remove ${origin}`} icon={<Trash2 />} onClick={onRemove} />
            </span>
          )}
        </td>
      )}
    </tr>
  );
}

interface RemovalProps {
  origin: string;
  pictures: number;
  isBusy: boolean;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks before the pages that use the origin lose its pictures. */
function Removal({ origin, pictures, isBusy, onRemove, onClose }: RemovalProps) {
  return (
    <Dialog
      title={`Remove ${origin}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={isBusy} onClick={onRemove}>
            Remove origin
          </Button>
        </>
      }
    >
      <p>Its pictures are refused from then on, on every page that shows them through this space.</p>
      <p class="field-hint">
        {pictures > 0 &&
          `${counted(pictures, "fetched file stays", "fetched files stay")} for up to 30 days. `}
        If the origin is added again, they are served again.
      </p>
    </Dialog>
  );
}

interface AdditionProps {
  faults: readonly string[];
  isBusy: boolean;
  onChange: () => void;
  onAdd: (origin: string, added: () => void) => void;
}

function Addition({ faults, isBusy, onChange, onAdd }: AdditionProps) {
  const [text, setText] = useState("");
  const origin = text.trim();
  const add = (): void => {
    if (origin !== "" && !isBusy) onAdd(origin, () => setText(""));
  };
  return (
    <div class="origins-add">
      <Field
        label="Another origin"
        hint="https://host, https://host/path/ for what is below a path, or https://*.host."
        faults={faults}
      >
        {(control) => (
          <input
            {...control}
            class="input mono"
            type="url"
            value={text}
            spellcheck={false}
            autocapitalize="none"
            onInput={(event) => {
              setText(event.currentTarget.value);
              onChange();
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") add();
            }}
          />
        )}
      </Field>
      <Button icon={<Check />} busy={isBusy} disabled={origin === ""} onClick={add}>
        Allow
      </Button>
    </div>
  );
}

/** Lists the setting in its order, then earlier origins of which something is known. */
function rowsOf(listed: readonly string[], known: readonly RemoteOrigin[]) {
  const earlier = known.map(({ origin }) => origin).filter((origin) => !listed.includes(origin));
  return [...listed, ...earlier].map((origin) => ({
    origin,
    at: listed.indexOf(origin),
    counts: known.find((one) => one.origin === origin),
  }));
}

export function Origins({ origins, mayChange }: { origins: readonly string[]; mayChange: boolean }) {
  const { data, error: unread } = useOrigins(origins);
  const { mutate, isPending, error, variables, reset } = useChangeSettings();
  const [leaving, setLeaving] = useState<string | null>(null);
  const sent = variables?.origins ?? [];
  const faults = faultsOf(error);
  const rows = rowsOf(origins, data?.origins ?? []);
  const change = (to: readonly string[], done: () => void): void =>
    mutate({ origins: [...to] }, { onSuccess: done, onSettled: () => setLeaving(null) });
  // A fault of an entry that has no row is one of the entry that was to be added.
  const places = sent.flatMap((origin, n) => (origins.includes(origin) ? [`origins.${n}`] : []));
  const last = `origins.${sent.length - 1}`;
  const ofAddition = [
    ...(places.includes(last) ? [] : faultsAt(faults, last)),
    ...otherFaults(faults, [...places, last]),
  ];
  return (
    <Card title="Other servers">
      <p class="settings-lead">
        The space serves pictures of these servers as it serves its own. Relative addresses of Next.js, Nuxt
        and Cloudflare belong to the first one.
      </p>
      {rows.length > 0 && (
        <div
          class="data-frame origins-frame"
          tabIndex={0}
          role="region"
          aria-label="Origins, scrolls sideways"
        >
          <table class="data origins-table">
            <thead>
              <tr>
                <th scope="col">Origin</th>
                <th scope="col" class="data-number">
                  Pictures
                </th>
                <th scope="col" class="data-number">
                  Size
                </th>
                <th scope="col" class="data-number">
                  Fetched
                </th>
                <th scope="col" class="data-number">
                  Failed
                </th>
                <th scope="col">Last fetch</th>
                {mayChange && (
                  <th scope="col">
                    <span class="visually-hidden">Changes</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ origin, at, counts }) => (
                <Row
                  key={origin}
                  origin={origin}
                  counts={counts}
                  at={at}
                  mayChange={mayChange}
                  faults={sent.includes(origin) ? faultsAt(faults, `origins.${sent.indexOf(origin)}`) : []}
                  onMoveUp={() =>
                    change(origins.toSpliced(at, 1).toSpliced(at - 1, 0, origin), () => notify("Order saved"))
                  }
                  onRemove={() => setLeaving(origin)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {unread && (
        <p class="form-faults" role="alert">
          The counts are not known at the moment: {unread.message}
        </p>
      )}
      {mayChange && (
        <Addition
          faults={ofAddition}
          isBusy={isPending && leaving === null}
          onChange={reset}
          onAdd={(origin, added) =>
            change([...origins, origin], () => {
              added();
              notify("Origin added");
            })
          }
        />
      )}
      {data && <Fetches fetches={data.fetches} waiting={data.waiting} running={data.running} />}
      {leaving !== null && (
        <Removal
          origin={leaving}
          pictures={data?.origins.find(({ origin }) => origin === leaving)?.pictures ?? 0}
          isBusy={isPending}
          onRemove={() =>
            change(
              origins.filter((origin) => origin !== leaving),
              () => notify("Origin removed"),
            )
          }
          onClose={() => setLeaving(null)}
        />
      )}
    </Card>
  );
}
