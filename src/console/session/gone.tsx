/** The text of a page whose address names something that does not exist. */
import { Link } from "wouter-preact";
import { buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/page.tsx";
import { useSession } from "./context.tsx";

/**
 * Renders a page for an address that names something that does not exist. The navigation has a link "Trash", so this
 * one is called otherwise.
 */
export function Gone({ what }: { what: string }) {
  const { space } = useSession();
  return (
    <Empty
      title={`There is no such ${what}`}
      action={
        <Link class={buttonClass("plain")} href={`/${space}/trash`}>
          See what was deleted
        </Link>
      }
    >
      It may have been deleted.
    </Empty>
  );
}
