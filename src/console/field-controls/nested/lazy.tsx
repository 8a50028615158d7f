/** Parts of nested fields that are loaded when a page first shows them: most pages have none. */
import type { FunctionComponent } from "preact";
import { lazily } from "../../lib/lazily.tsx";
import { Skeleton } from "../../ui/page.tsx";

const Failed = () => <p class="field-faults">This part could not be loaded. Reload the page to try again.</p>;

export const loaded = <Props extends object>(load: () => Promise<FunctionComponent<Props>>, lines: number) =>
  lazily<Props>(load, () => <Skeleton lines={lines} />, Failed);
