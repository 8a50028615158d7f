/** The form of a webhook: its address, the events that it gets, and the models that these are narrowed to. */
import { useState } from "preact/hooks";
import { WEBHOOKS } from "../../limits.ts";
import { faultsAt, faultsOf, otherFaults } from "../api/faults.ts";
import type { WebhookEvent, WebhookValues } from "../api/webhooks.ts";
import { useModels } from "../api/models.ts";
import { AllOrSome } from "../ui/all-or-some.tsx";
import { Check, Field } from "../ui/field.tsx";
import { EVENT_GROUPS, EVENT_WORDS, SITE_EVENTS } from "./events.ts";

const FIELDS = ["url", "name", "events", "models"];

const NO_MODELS = "Choose at least one model, or switch “Only some models” off.";

export const NEW_WEBHOOK: WebhookValues = { url: "", name: "", events: [...SITE_EVENTS], models: null };

interface FormProps {
  id: string;
  values: WebhookValues;
  onChange: (values: WebhookValues) => void;
  onSubmit: () => void;
  error: Error | null;
}

function Events({
  events,
  onChange,
}: {
  events: WebhookEvent[];
  onChange: (events: WebhookEvent[]) => void;
}) {
  const hasAll = events.includes("*");
  const toggle = (event: WebhookEvent, isOn: boolean): void =>
    onChange(isOn ? [...events, event] : events.filter((one) => one !== event));
  return (
    <fieldset class="webhook-events">
      <legend>Events</legend>
      <Check
        label="All events"
        hint="Also those that a later version adds."
        checked={hasAll}
        onChange={(isOn) => onChange(isOn ? ["*"] : [...SITE_EVENTS])}
      />
      {!hasAll &&
        EVENT_GROUPS.map(({ title, events: group }) => (
          <fieldset key={title} class="webhook-group">
            <legend>{title}</legend>
            {group.map((event) => (
              <Check
                key={event}
                label={EVENT_WORDS[event]}
                checked={events.includes(event)}
                onChange={(isOn) => toggle(event, isOn)}
              />
            ))}
          </fieldset>
        ))}
    </fieldset>
  );
}

function Models({
  models,
  faults,
  onChange,
}: {
  models: string[] | null;
  faults: readonly string[];
  onChange: (models: string[] | null) => void;
}) {
  const { data } = useModels();
  if (!data || (data.length === 0 && models === null)) return null;
  return (
    <AllOrSome
      legend="Which models"
      some="Only some models"
      hint="Narrows events of records and models. Events of media always come."
      names={[...new Set(data.map(({ name }) => name))]}
      chosen={models}
      faults={faults}
      onChange={onChange}
    />
  );
}

export function WebhookForm({ id, values, onChange, onSubmit, error }: FormProps) {
  const faults = faultsOf(error);
  const others = [...otherFaults(faults, FIELDS), ...faultsAt(faults, "events")];
  /** Whether the form was sent with no model, which would be a webhook that gets nothing of records. */
  const [isSentEmpty, setSentEmpty] = useState(false);
  const lacksModels = values.models?.length === 0;
  return (
    <form
      id={id}
      class="webhook-form"
      onSubmit={(event) => {
        event.preventDefault();
        setSentEmpty(lacksModels);
        if (!lacksModels) onSubmit();
      }}
    >
      {others.length > 0 && (
        <p class="form-faults" role="alert">
          {others.join("; ")}
        </p>
      )}
      <Field
        label="Address"
        required
        hint="A deploy hook of your host, or an endpoint of your own. It begins with https://."
        faults={faultsAt(faults, "url")}
      >
        {(control) => (
          <input
            {...control}
            class="input mono"
            type="url"
            autofocus
            placeholder="https://example.com/hooks/build"
            maxLength={WEBHOOKS.urlMaxCharacters}
            value={values.url}
            onInput={(event) => onChange({ ...values, url: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Webhook name" hint="What it is for: “Build the site”." faults={faultsAt(faults, "name")}>
        {(control) => (
          <input
            {...control}
            class="input"
            maxLength={WEBHOOKS.nameMaxCharacters}
            value={values.name}
            onInput={(event) => onChange({ ...values, name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Events events={values.events} onChange={(events) => onChange({ ...values, events })} />
      <Models
        models={values.models}
        faults={isSentEmpty && lacksModels ? [NO_MODELS] : faultsAt(faults, "models")}
        onChange={(models) => onChange({ ...values, models })}
      />
    </form>
  );
}
