/** The uploads under way: shown above every page, until the reader has seen them and puts them away. */
import { Check, ChevronDown, ChevronUp, Pause, Play, RotateCw, X } from "lucide-preact";
import { useState } from "preact/hooks";
import { bytes } from "../lib/format.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useUploadQueue, useUploads } from "./context.tsx";
import type { Upload } from "./queue.ts";
import { isOver, isUnderWay, titleOf } from "./state.ts";
import "./panel.css";

const share = ({ sentBytes, totalBytes }: Upload): number =>
  totalBytes === 0 ? 0 : Math.min(100, Math.round((sentBytes / totalBytes) * 100));

function words({ state, sentBytes, totalBytes, fault }: Upload): string {
  if (fault !== null) return fault;
  if (state === "done") return bytes(totalBytes);
  if (state === "waiting") return `Waits, ${bytes(totalBytes)}`;
  if (state === "converting") return "Being converted from HEIC…";
  if (state === "paused") return `Paused at ${bytes(sentBytes)} of ${bytes(totalBytes)}`;
  // All bytes have left this machine; the service looks at them.
  if (sentBytes >= totalBytes) return "Being stored…";
  return `${bytes(sentBytes)} of ${bytes(totalBytes)}`;
}

function Line({ upload }: { upload: Upload }) {
  const queue = useUploadQueue();
  const { id, filename, state } = upload;
  return (
    <li class="upload" data-state={state}>
      <div class="upload-text">
        <p class="upload-name" title={filename}>
          {filename}
        </p>
        <p class="upload-words numbers">{words(upload)}</p>
      </div>
      <div class="upload-buttons">
        {state === "done" && <Check class="upload-done" aria-label="Stored" />}
        {(state === "sending" || state === "converting") && (
          <IconButton name={`Pause ${filename}`} icon={<Pause />} onClick={() => queue.pause(id)} />
        )}
        {state === "paused" && (
          <IconButton name={`Go on with ${filename}`} icon={<Play />} onClick={() => queue.resume(id)} />
        )}
        {state === "failed" && upload.mayTryAgain && (
          <IconButton name={`Try ${filename} again`} icon={<RotateCw />} onClick={() => queue.resume(id)} />
        )}
        {state !== "done" && (
          <IconButton name={`Cancel ${filename}`} icon={<X />} onClick={() => queue.remove(id)} />
        )}
      </div>
      <div
        class="upload-bar"
        role="progressbar"
        aria-label={filename}
        aria-valuenow={share(upload)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={words(upload)}
      >
        <span style={{ width: `${share(upload)}%` }} />
      </div>
    </li>
  );
}

export function UploadPanel() {
  const uploads = useUploads();
  const queue = useUploadQueue();
  const [isOpen, setOpen] = useState(true);
  if (uploads.length === 0) return null;
  const mayClear = !uploads.some(isUnderWay) && uploads.some(isOver);
  return (
    <section class="uploads" aria-label="Uploads">
      <header class="uploads-head">
        <h2>{titleOf(uploads)}</h2>
        {mayClear && (
          <Button
            kind="quiet"
            small
            onClick={() => uploads.filter(isOver).forEach(({ id }) => queue.remove(id))}
          >
            Clear
          </Button>
        )}
        <IconButton
          name={isOpen ? "Fold uploads" : "Unfold uploads"}
          aria-expanded={isOpen}
          icon={isOpen ? <ChevronDown /> : <ChevronUp />}
          onClick={() => setOpen(!isOpen)}
        />
      </header>
      <ul hidden={!isOpen}>
        {uploads.map((upload) => (
          <Line key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}
