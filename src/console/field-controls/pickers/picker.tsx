/** A dialog to choose items of a list, with a search. A single item is taken at once, several are gathered first. */
import type { ComponentChild, ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { List } from "../../api/list.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Fault, Skeleton } from "../../ui/page.tsx";
import { SearchBox } from "../../ui/lists/search.tsx";

const STEP = 60;

export interface PickerProps {
  chosen: readonly string[];
  isMany: boolean;
  onTake: (ids: readonly string[]) => void;
  onClose: () => void;
}

/** Holds the state of a picker: the chosen items, the search, and the part of the list that is shown. */
export function usePicker({ chosen, isMany, onTake, onClose }: PickerProps) {
  const [ids, setIds] = useState<readonly string[]>(chosen);
  const [search, setSearch] = useState("");
  const [last, setLast] = useState(STEP - 1);
  const take = (to: readonly string[]): void => {
    onTake(to);
    onClose();
  };
  return {
    ids,
    search,
    setSearch,
    shown: () => ({ first: 0, last }),
    showMore: (count: number) => setLast(count + STEP),
    take: () => take(ids),
    pick: (id: string): void => {
      if (!isMany) take([id]);
      else setIds(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
    },
  };
}

interface PickerDialogProps<Item extends { id: string }> extends PickerProps {
  picker: ReturnType<typeof usePicker>;
  list: List<Item>;
  title: string;
  wide?: boolean;
  searchName: string;
  /** Controls beside the search. */
  ways?: ComponentChildren;
  /** The message of an empty list. */
  empty: string;
  /** The classes of the list and of each button in it. */
  classes: { list: string; item: string };
  children: (item: Item, isChosen: boolean) => ComponentChild;
}

export function PickerDialog<Item extends { id: string }>({
  picker,
  list,
  isMany,
  onClose,
  title,
  wide = false,
  searchName,
  ways,
  empty,
  classes,
  children,
}: PickerDialogProps<Item>) {
  const { ids, search, setSearch, pick, take, showMore } = picker;
  const items = list.traces.flatMap((_, at) => list.item(at) ?? []);
  return (
    <Dialog
      wide={wide}
      title={title}
      onClose={onClose}
      actions={
        isMany && (
          <Button kind="solid" onClick={take}>
            Take {ids.length}
          </Button>
        )
      }
    >
      <div class="picker-ways">
        <SearchBox name={searchName} value={search} onChange={setSearch} />
        {ways}
      </div>
      {list.error && <Fault error={list.error} onRetry={list.retry} />}
      {list.isFirstRead && !list.error && <Skeleton />}
      {!list.isFirstRead && items.length === 0 && !list.error && <Empty title={empty} />}
      <ul class={classes.list}>
        {items.map((item) => {
          const isChosen = ids.includes(item.id);
          return (
            <li key={item.id}>
              <button
                type="button"
                class={classes.item}
                aria-pressed={isChosen}
                onClick={() => pick(item.id)}
              >
                {children(item, isChosen)}
              </button>
            </li>
          );
        })}
      </ul>
      {list.hasMore && items.length > 0 && <Button onClick={() => showMore(items.length)}>Show more</Button>}
    </Dialog>
  );
}
