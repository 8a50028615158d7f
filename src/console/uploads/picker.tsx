/** The ways in for files: a button, a camera, and files that are dropped or pasted anywhere on the page. */
import { Camera, Upload } from "lucide-preact";
import { useEffect, useId, useState } from "preact/hooks";
import { useLatest } from "../lib/use-latest.ts";
import { buttonClass } from "../ui/button.tsx";
import "./picker.css";

/** HEIC is a picture to phones and not to every browser; names are accepted where kinds are not known. */
const ACCEPTED = "image/*,.heic,.heif,.avif,.svg,.svgz";

interface FilesProps {
  onFiles: (files: File[]) => void;
}

function filesOf(event: { currentTarget: HTMLInputElement }): File[] {
  const files = [...(event.currentTarget.files ?? [])];
  // The same file can be chosen again.
  event.currentTarget.value = "";
  return files;
}

/** Renders a file input that looks like a button. */
export function FileButton({
  name,
  label = name,
  multiple = false,
  kind = "solid",
  onFiles,
}: FilesProps & { name: string; label?: string; multiple?: boolean; kind?: "solid" | "plain" }) {
  const id = useId();
  return (
    <span class="file-button">
      <input
        id={id}
        type="file"
        accept={ACCEPTED}
        multiple={multiple}
        aria-label={name}
        onChange={(event) => onFiles(filesOf(event))}
      />
      <span class={buttonClass(kind)} aria-hidden="true">
        <Upload />
        {label}
      </span>
    </span>
  );
}

/** Renders a button for phones, which takes a photo and uploads it. */
export function CameraButton({ onFiles }: FilesProps) {
  return (
    <span class="file-button file-button-camera">
      <input
        type="file"
        accept="image/*"
        capture="environment"
        aria-label="Take a photo"
        onChange={(event) => onFiles(filesOf(event))}
      />
      <span class={buttonClass("plain")} aria-hidden="true">
        <Camera />
        Photo
      </span>
    </span>
  );
}

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;

/** Takes what is dropped on the page or pasted into it, and says so while something hovers above. */
export function DropTarget({ onFiles }: FilesProps) {
  const [isOver, setOver] = useState(false);
  const take = useLatest(onFiles);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const onDrag = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    addEventListener("dragenter", onDrag, { signal });
    addEventListener("dragover", onDrag, { signal });
    addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      "drop",
      (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(false);
        take([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    addEventListener(
      "paste",
      (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (files.length > 0) take(files);
      },
      { signal },
    );
    return () => ended.abort();
  }, [take]);
  return isOver ? (
    <div class="drop-target" aria-hidden="true">
      <p>Drop to upload</p>
    </div>
  ) : null;
}
