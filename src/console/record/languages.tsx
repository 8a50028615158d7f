/** The languages of a record: which one is written, what it lacks, and which other one stands beside it. */
import { Check as CheckIcon, Columns2, CopyPlus } from "lucide-preact";
import type { Locale } from "../api/space.ts";
import { languageName } from "../lib/languages.ts";
import { counted } from "../lib/format.ts";
import { notify } from "../ui/toast.tsx";
import { slotKey } from "../api/slots.ts";
import type { Editing } from "./use-editing.ts";
import { isEmptyValue, missingIn, type FormValues } from "./values.ts";
import "./languages.css";

/** So many languages stand beside each other. More of them are a list to choose from. */
const CHIPS_MAX = 6;

export interface Languages {
  /** The code of the language that is written. */
  shown: string;
  /** The code of the language beside it; null for none. */
  beside: string | null;
}

interface LanguageBarProps {
  editing: Editing;
  languages: Languages;
  mayChange: boolean;
  onChange: (to: Languages) => void;
}

const lacks = (missing: number): string => (missing === 0 ? "" : `${missing} missing`);

/** Returns the values of a language that another one lacks. */
function lackingFrom({ slots, values }: Editing, from: string, to: string): FormValues {
  const lacking = slots.filter(
    ({ key, field, locale }) =>
      locale === to && isEmptyValue(values[key]) && !isEmptyValue(values[slotKey(field.name, from)]),
  );
  return Object.fromEntries(
    lacking.map(({ key, field }) => [key, structuredClone(values[slotKey(field.name, from)])]),
  );
}

function Chips({ editing, languages, onChange }: Omit<LanguageBarProps, "mayChange">) {
  const { locales, slots, values } = editing;
  const first = locales[0]?.code ?? "";
  const show = (code: string): void =>
    onChange({ shown: code, beside: languages.beside === code ? languages.shown : languages.beside });
  const missing = ({ code }: Locale): number => missingIn(slots, values, code, first);
  if (locales.length > CHIPS_MAX) {
    return (
      <select
        class="select languages-select"
        aria-label="Language"
        value={languages.shown}
        onChange={(event) => show(event.currentTarget.value)}
      >
        {locales.map((locale) => (
          <option key={locale.code} value={locale.code}>
            {[languageName(locale.code), lacks(missing(locale))].filter(Boolean).join(" – ")}
          </option>
        ))}
      </select>
    );
  }
  return (
    <div class="languages-chips" role="group" aria-label="Language">
      {locales.map((locale) => {
        const count = missing(locale);
        return (
          <button
            key={locale.code}
            type="button"
            class="language"
            aria-pressed={languages.shown === locale.code}
            onClick={() => show(locale.code)}
          >
            {languageName(locale.code)}
            {count > 0 ? (
              <span class="language-missing numbers">{lacks(count)}</span>
            ) : (
              <>
                <CheckIcon aria-hidden="true" />
                <span class="visually-hidden">complete</span>
              </>
            )}
          </button>
        );
      })}
    </div>
  );
}

export function LanguageBar(props: LanguageBarProps) {
  const { editing, languages, mayChange, onChange } = props;
  const { locales, set } = editing;
  const { shown, beside } = languages;
  const others = locales.filter(({ code }) => code !== shown);
  const sources = others.filter(({ code }) => Object.keys(lackingFrom(editing, code, shown)).length > 0);
  const copy = (from: string): void => {
    const lacking = lackingFrom(editing, from, shown);
    set(lacking);
    notify(`${counted(Object.keys(lacking).length, "value")} copied from ${languageName(from)}`);
  };
  return (
    <div class="languages">
      <Chips {...props} />
      <div class="languages-ways">
        {mayChange && sources.length > 0 && (
          <label class="languages-way">
            <CopyPlus aria-hidden="true" />
            <span class="visually-hidden">Copy what is missing from</span>
            <select
              value=""
              onChange={({ currentTarget }) => {
                const { value } = currentTarget;
                currentTarget.value = "";
                copy(value);
              }}
            >
              <option value="" hidden>
                Copy from
              </option>
              {sources.map(({ code }) => (
                <option key={code} value={code}>
                  {languageName(code)}
                </option>
              ))}
            </select>
          </label>
        )}
        {others.length > 0 && (
          <label class="languages-way">
            <Columns2 aria-hidden="true" />
            <span class="visually-hidden">Side by side with</span>
            <select
              value={beside ?? ""}
              onChange={(event) => onChange({ shown, beside: event.currentTarget.value || null })}
            >
              <option value="">{beside === null ? "Side by side" : "One language"}</option>
              {others.map(({ code }) => (
                <option key={code} value={code}>
                  {languageName(code)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </div>
  );
}
