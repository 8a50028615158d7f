/** A button that copies a text and says so. */
import { Check, Copy } from "lucide-preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { complain } from "./toast.tsx";

const SAID_MS = 2000;

export function CopyButton({ text, name = "Copy", small }: { text: string; name?: string; small?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SAID_MS);
    } catch {
      complain("This browser does not let the page copy. Select the text and copy it yourself.");
    }
  };
  return (
    <Button small={small} icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
      {isCopied ? "Copied" : name}
    </Button>
  );
}
