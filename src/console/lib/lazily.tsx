/** A page whose code is loaded when it is first shown. */
import { type ComponentType, type FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/**
 * @param load imports the page's module
 * @param Waiting what is shown until then
 * @param Failed what is shown when the code cannot be loaded, as after a deploy that replaced it
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: FunctionComponent,
  Failed: FunctionComponent,
): FunctionComponent<Props> {
  let known: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [, setShown] = useState(known !== null);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (known) return;
      load().then(
        (component) => {
          known = component;
          setShown(true);
        },
        () => setFailed(true),
      );
    }, []);
    if (isFailed) return <Failed />;
    const Page = known;
    return Page ? <Page {...props} /> : <Waiting />;
  };
}
