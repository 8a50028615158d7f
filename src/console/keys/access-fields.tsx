/** The role and the scopes of a key or of a member: how they are chosen, and how they are told. */
import type { GivenScopes, KeyRole } from "../api/keys.ts";
import { useModels } from "../api/models.ts";
import { useSettings } from "../api/space.ts";
import { AllOrSome } from "../ui/all-or-some.tsx";
import { Field } from "../ui/field.tsx";
import { KEY_ROLES, ROLE_WORDS } from "./roles.ts";

/** The access as the controls have it. */
export interface AccessDraft {
  role: KeyRole;
  /** The names of models; null for all. */
  models: string[] | null;
  /** The codes of locales; null for all. */
  locales: string[] | null;
  media: "write" | "read" | "none";
  publish: boolean;
}

export const draftOf = (role: KeyRole, scopes: GivenScopes | null = null): AccessDraft => ({
  role,
  models: scopes?.models ?? null,
  locales: scopes?.locales ?? null,
  media: scopes?.media ?? "write",
  publish: scopes?.publish ?? true,
});

/** Returns the access of a draft. The scopes are null if they limit nothing, and for admins, who have none. */
export function accessOf(draft: AccessDraft): { role: KeyRole; scopes: GivenScopes | null } {
  const { role, models, locales, media, publish } = draft;
  const scopes: GivenScopes = {
    ...(models && { models }),
    ...(locales && { locales }),
    ...(media !== "write" && { media }),
    ...(!publish && { publish }),
  };
  return { role, scopes: role === "admin" || Object.keys(scopes).length === 0 ? null : scopes };
}

/** Returns scopes in words; an empty text for the whole space. */
export function scopeWords(scopes: GivenScopes | null): string {
  if (!scopes) return "";
  const { models, locales, media, publish } = scopes;
  const parts = [
    ...(models ? [`models: ${models.join(", ") || "none"}`] : []),
    ...(locales ? [`locales: ${locales.join(", ")}`] : []),
    ...(media === "read" ? ["media are only read"] : []),
    ...(media === "none" ? ["no media"] : []),
    ...(publish === false ? ["publishes nothing"] : []),
  ];
  return parts.join("; ");
}

interface FieldsProps {
  draft: AccessDraft;
  onChange: (to: AccessDraft) => void;
}

function Roles({ draft, onChange }: FieldsProps) {
  return (
    <fieldset class="key-roles">
      <legend>Role</legend>
      {KEY_ROLES.map((one) => (
        <label key={one} class="key-role">
          <input
            type="radio"
            name="role"
            checked={draft.role === one}
            onChange={() => onChange({ ...draft, role: one })}
          />
          <span>
            {one}
            <span class="field-hint">{ROLE_WORDS[one]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Scopes({ draft, onChange }: FieldsProps) {
  const { data: models } = useModels();
  const { data: settings } = useSettings();
  const named = models?.filter(({ typeModel }) => typeModel !== "components").map(({ name }) => name);
  const codes = settings?.locales.map(({ code }) => code);
  return (
    <div class="new-key">
      <AllOrSome
        legend="Models"
        some="Only some models"
        hint="Others are as if they were not there."
        names={named && [...new Set(named)]}
        chosen={draft.models}
        none="None is chosen: no record of any model is seen."
        onChange={(chosen) => onChange({ ...draft, models: chosen })}
      />
      {(draft.locales !== null || (codes && codes.length > 0)) && (
        <AllOrSome
          legend="Locales"
          some="Only some locales"
          hint="Values that all locales share are written with the default one alone."
          names={codes}
          chosen={draft.locales}
          none="Choose one at least."
          onChange={(chosen) => onChange({ ...draft, locales: chosen })}
        />
      )}
      <Field label="Media access">
        {(control) => (
          <select
            {...control}
            class="input"
            value={draft.media}
            onChange={(event) =>
              onChange({ ...draft, media: event.currentTarget.value as AccessDraft["media"] })
            }
          >
            <option value="write">As the role says</option>
            <option value="read">Only reads</option>
            <option value="none">None</option>
          </select>
        )}
      </Field>
      <label class="key-role">
        <input
          type="checkbox"
          checked={draft.publish}
          onChange={(event) => onChange({ ...draft, publish: event.currentTarget.checked })}
        />
        <span>
          May publish
          <span class="field-hint">Without it, drafts are written and nothing that readers see changes.</span>
        </span>
      </label>
    </div>
  );
}

export function AccessFields(props: FieldsProps) {
  return (
    <>
      <Roles {...props} />
      {props.draft.role !== "admin" && <Scopes {...props} />}
    </>
  );
}
