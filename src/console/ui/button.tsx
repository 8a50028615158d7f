/** Buttons, and links that look like them. */
import type { ComponentChildren, JSX } from "preact";
import "./button.css";

export type ButtonKind = "solid" | "plain" | "quiet" | "danger";

interface ButtonProps extends Omit<JSX.IntrinsicElements["button"], "icon" | "size"> {
  kind?: ButtonKind;
  icon?: ComponentChildren;
  /** Shows that it works, and takes no second click. */
  busy?: boolean | undefined;
  small?: boolean | undefined;
}

export const buttonClass = (kind: ButtonKind, small = false): string =>
  `button button-${kind}${small ? " button-small" : ""}`;

export function Button({ kind = "plain", icon, busy, small, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={buttonClass(kind, small)}
      aria-busy={busy}
      disabled={(disabled ?? false) || busy === true}
    >
      {icon}
      {children}
    </button>
  );
}

/** Renders a button that shows an icon alone; its name is read out and shown as a tooltip. */
export function IconButton({
  name,
  icon,
  ...rest
}: Omit<JSX.IntrinsicElements["button"], "icon"> & { name: string; icon: ComponentChildren }) {
  return (
    <button type="button" class="icon-button" {...rest} aria-label={name} title={name}>
      {icon}
    </button>
  );
}
