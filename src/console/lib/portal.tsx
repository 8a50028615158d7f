/** Renders into an element that another library made, with the contexts of the place where it stands. */
import { Component, render, type ComponentChildren } from "preact";

/** Hands the contexts on. Preact gives a component without a context of its own all of them. */
class Contexts extends Component<{ contexts: object; children: ComponentChildren }> {
  override getChildContext(): object {
    return this.props.contexts;
  }
  override render() {
    return this.props.children;
  }
}

interface PortalProps {
  into: HTMLElement;
  children: ComponentChildren;
}

export class Portal extends Component<PortalProps> {
  #draw(): void {
    const { into, children } = this.props;
    render(<Contexts contexts={this.context as object}>{children}</Contexts>, into);
  }
  override componentDidMount(): void {
    this.#draw();
  }
  override componentDidUpdate(): void {
    this.#draw();
  }
  override componentWillUnmount(): void {
    render(null, this.props.into);
  }
  override render() {
    return null;
  }
}
