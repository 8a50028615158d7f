/** The page of the site that shows a record, in a frame beside the form. It is told of each save. */
import { X } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import type { RecordModel } from "../api/models.ts";
import { usePreviewToken, type ChangedMessage } from "../api/preview.ts";
import type { RecordView } from "../api/records.ts";
import type { Slot } from "../api/slots.ts";
import { useLocales } from "../api/space.ts";
import { previewAddress } from "../lib/preview-template.ts";
import { useSession } from "../session/context.tsx";
import { IconButton } from "../ui/button.tsx";
import { Fault, Skeleton } from "../ui/page.tsx";
import { recordIn } from "./values.ts";

/**
 * The page keeps its own origin, runs its scripts and sends its forms. It cannot navigate the console, nor open windows.
 */
const SANDBOX = "allow-scripts allow-same-origin allow-forms";

function Frame({ address, message }: { address: string; message: ChangedMessage }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const told = useRef(message.version);
  useEffect(() => {
    if (told.current === message.version) return;
    told.current = message.version;
    // The browser delivers it to a page of this origin alone, wherever the frame has gone since.
    frame.current?.contentWindow?.postMessage(message, new URL(address).origin);
  }, [message, address]);
  return (
    // The key: a frame that goes to another address would add an entry to the history of the console's tab.
    <iframe
      key={address}
      ref={frame}
      class="preview-frame"
      title="Preview of the page"
      sandbox={SANDBOX}
      referrerpolicy="no-referrer"
      src={address}
    />
  );
}

interface PreviewProps {
  template: string;
  model: RecordModel;
  record: RecordView;
  slots: readonly Slot[];
  /** The language that the form shows; null for a model whose records are the same in all. */
  locale: string | null;
  onClose: () => void;
}

function Content({ template, model, record, slots, locale }: Omit<PreviewProps, "onClose">) {
  const { space } = useSession();
  const [first] = useLocales();
  const { data: token, error, refetch } = usePreviewToken();
  if (token === undefined)
    return error ? <Fault error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />;
  const { typeModel, name } = model;
  const shown = locale ?? first?.code ?? null;
  const address = previewAddress(template, {
    record: locale === null ? record : recordIn(slots, record, locale),
    ...{ model: name, locale: shown ?? "", token },
  });
  // A page of the console's own origin could reach out of its frame.
  if (new URL(address).origin === location.origin)
    return (
      <p class="form-faults" role="alert">
        The preview page of this model is on the console’s own address. Give the site another one.
      </p>
    );
  const { id, version } = record;
  return (
    <Frame
      address={address}
      message={{
        type: "silverprint:changed",
        ...{ space, typeModel, model: name, id, locale: shown, version },
      }}
    />
  );
}

export function Preview({ onClose, ...content }: PreviewProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), []);
  const { host } = new URL(content.template.replaceAll(/[{}]/g, ""));
  return (
    <section class="preview" aria-label="Page" ref={section}>
      <div class="preview-head">
        <p class="field-hint">{host}, as last saved</p>
        <IconButton name="Close the page" icon={<X aria-hidden="true" />} onClick={onClose} />
      </div>
      <Content {...content} />
    </section>
  );
}
