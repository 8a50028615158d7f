/** A component that is drawn again only when one of its properties is another: for the rows of long lists. */
import { Component, type ComponentType, type FunctionComponent } from "preact";

const isSame = (a: object, b: object): boolean => {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.is(Reflect.get(a, name), Reflect.get(b, name)))
  );
};

export function memo<Props extends object>(Shown: FunctionComponent<Props>): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !isSame(this.props, next);
    }
    override render(props: Props) {
      return <Shown {...props} />;
    }
  };
}
