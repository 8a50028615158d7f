/** The alt text of a picture: one, or one for each language of the space. It is saved by itself. */
import { useEffect, useState } from "preact/hooks";
import { UPLOAD } from "../../limits.ts";
import { useAltTexts, useChangeAlt, type AltTexts, type Media } from "../api/media.ts";
import { localesIn, useSettings, type Locale } from "../api/space.ts";
import { useAtRisk } from "../lib/at-risk.ts";
import { count } from "../lib/format.ts";
import { languageAttributes, languageName } from "../lib/languages.ts";
import { useAutosave, type SaveState } from "../lib/use-autosave.ts";
import { useMay } from "../session/context.tsx";
import { Field } from "../ui/field.tsx";
import { Fault, Skeleton } from "../ui/page.tsx";
import { stateOf, textIn, withEnded, withTyped, type AltDrafts } from "./alt-drafts.ts";

const LABEL = "Alt text";

interface AltTextProps {
  media: Media;
  onState: (state: SaveState) => void;
}

interface Drafts {
  drafts: AltDrafts;
  onTyped: (locale: string | null, text: string) => void;
  save: (locale: string | null, text: string) => Promise<void>;
}

/** Keeps the alt texts that are typed until they are stored, whichever language is shown. */
function useDrafts({ media, onState }: AltTextProps): Drafts {
  const { mutateAsync } = useChangeAlt(media.id);
  const [drafts, setDrafts] = useState<AltDrafts>({});
  const state = stateOf(drafts);
  useEffect(() => onState(state), [state, onState]);
  useAtRisk(state === "failed" || state === "saving" ? "An alt text is not saved." : null);
  const save = async (locale: string | null, text: string): Promise<void> => {
    const end = (isStored: boolean): void =>
      setDrafts((known) => withEnded(known, locale ?? "", text, isStored));
    await mutateAsync({ locale, text }).then(
      () => end(true),
      () => end(false),
    );
  };
  return {
    drafts,
    onTyped: (locale, text) => setDrafts((known) => withTyped(known, locale ?? "", text)),
    save,
  };
}

interface AltFieldProps extends Drafts {
  /** The text that is stored. */
  stored: string;
  /** The code of the language; null in a space without languages. */
  locale: string | null;
  label: string;
}

function AltField({ stored, locale, label, drafts, onTyped, save }: AltFieldProps) {
  const [alt, setAlt] = useState(() => textIn(drafts, locale ?? "", stored));
  const mayWrite = useMay("write");
  const { later, now } = useAutosave((text: string) => save(locale, text));
  return (
    <Field
      label={label}
      hint="What the picture shows, for readers who cannot see it. Search engines read it too."
      aside={alt === "" ? <span class="badge badge-warn">missing</span> : `${count(alt.length)} characters`}
    >
      {(control) => (
        <textarea
          {...control}
          {...languageAttributes(locale)}
          class="textarea details-alt"
          rows={3}
          maxLength={UPLOAD.altMaxCharacters}
          value={alt}
          readOnly={!mayWrite}
          placeholder={locale === null ? "A lighthouse on a rocky shore, at low tide" : undefined}
          onInput={(event) => {
            const text = event.currentTarget.value;
            setAlt(text);
            onTyped(locale, text);
            later(text);
          }}
          onBlur={now}
        />
      )}
    </Field>
  );
}

/** Returns the addition to a language in the list of languages. */
function additionOf(texts: AltTexts, drafts: AltDrafts, code: string): string {
  if (drafts[code]?.state === "failed") return " – not stored";
  return texts[code] ? "" : " – missing";
}

function AltTextsByLocale(props: AltTextProps & { locales: readonly Locale[] }) {
  const { media, locales } = props;
  const { data: texts, error, refetch } = useAltTexts(media.id);
  const first = locales[0]?.code ?? "";
  const [shown, setShown] = useState(first);
  const drafts = useDrafts(props);
  if (error && !texts) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!texts) return <Skeleton lines={3} />;
  const label = shown === first ? LABEL : `${LABEL} (${languageName(shown)})`;
  return (
    <>
      <Field label="Language">
        {(control) => (
          <select
            {...control}
            class="select"
            value={shown}
            onChange={(event) => setShown(event.currentTarget.value)}
          >
            {locales.map(({ code }) => (
              <option key={code} value={code}>
                {languageName(code)}
                {additionOf(texts, drafts.drafts, code)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <AltField key={shown} {...drafts} stored={texts[shown] ?? ""} locale={shown} label={label} />
    </>
  );
}

function OneAltText(props: AltTextProps) {
  return <AltField {...useDrafts(props)} stored={props.media.alt} locale={null} label={LABEL} />;
}

export function AltText(props: AltTextProps) {
  const { data: settings, error } = useSettings();
  // The texts have other places in a space with languages, which is known once the settings are.
  if (!settings && !error) return <Skeleton lines={3} />;
  const locales = settings ? localesIn(settings) : [];
  if (locales.length > 0) return <AltTextsByLocale {...props} locales={locales} />;
  return <OneAltText {...props} />;
}
