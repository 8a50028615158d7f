/** The session's uploads as components use them. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { useMediaChanged } from "../api/media.ts";
import { holdSession } from "../lib/at-risk.ts";
import { useLatest } from "../lib/use-latest.ts";
import { useSession, useSessionState } from "../session/context.tsx";
import { UploadQueue, type Upload } from "./queue.ts";
import { isUnderWay, unfinishedWords } from "./state.ts";

const QueueContext = createContext<UploadQueue | null>(null);

export function UploadsProvider({ children }: { children: ComponentChildren }) {
  const { space, key } = useSession();
  const { renewed } = useSessionState();
  const changed = useMediaChanged();
  const onStored = useLatest(changed);
  const queue = useMemo(
    () => new UploadQueue({ space, key, renewed }, (media) => void onStored(media)),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a session that is renewed keeps its uploads, with the key below
    [space, onStored],
  );
  useLayoutEffect(() => queue.renew(key), [queue, key]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (queue.uploads.some(isUnderWay)) event.preventDefault();
    };
    void queue.restore();
    window.addEventListener("beforeunload", warn);
    const release = holdSession(() => unfinishedWords(queue.uploads));
    return () => {
      release();
      window.removeEventListener("beforeunload", warn);
      queue.end();
    };
  }, [queue]);
  return <QueueContext.Provider value={queue}>{children}</QueueContext.Provider>;
}

export function useUploadQueue(): UploadQueue {
  const queue = useContext(QueueContext);
  if (!queue) throw new Error("No UploadsProvider above");
  return queue;
}

/** Returns the uploads, drawn anew as they go on. */
export function useUploads(): readonly Upload[] {
  const queue = useUploadQueue();
  const [, render] = useState(0);
  useEffect(() => queue.subscribe(() => render((n) => n + 1)), [queue]);
  return queue.uploads;
}
