/** The records that name the picture. */
import { Link } from "wouter-preact";
import { useMediaReferences } from "../api/references.ts";
import { untitled } from "../lib/format.ts";
import { useSession } from "../session/context.tsx";

export function UsedIn({ mediaId }: { mediaId: string }) {
  const { space } = useSession();
  const { data } = useMediaReferences(mediaId);
  if (!data) return null;
  if (data.data.length === 0) return <p class="field-hint">No record names this picture.</p>;
  return (
    <>
      <ul class="used-in">
        {data.data.map(({ typeModel, model, id, title, fields }) => (
          <li key={`${model}/${id}`}>
            <Link href={`/${space}/content/${typeModel}/${model}${typeModel === "pages" ? "" : `/${id}`}`}>
              {title ?? untitled(id)}
            </Link>
            <span class="field-hint">
              {model}: {fields.join(", ")}
            </span>
          </li>
        ))}
      </ul>
      {data.meta.nextCursor !== null && <p class="field-hint">And more.</p>}
    </>
  );
}
