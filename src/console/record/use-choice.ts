/** What is chosen in a picker: one takes at once, several are gathered first. */
import { useState } from "preact/hooks";

export interface PickerProps {
  chosen: readonly string[];
  isMany: boolean;
  onTake: (ids: readonly string[]) => void;
  onClose: () => void;
}

export function useChoice({ chosen, isMany, onTake, onClose }: PickerProps) {
  const [ids, setIds] = useState<readonly string[]>(chosen);
  const done = (to: readonly string[]): void => {
    onTake(to);
    onClose();
  };
  return {
    ids,
    done: () => done(ids),
    pick: (id: string): void => {
      if (!isMany) done([id]);
      else setIds(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
    },
  };
}
