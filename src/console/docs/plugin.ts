/** Mends the viewer's own components for readers with a screen reader. */

type Component = (props: Record<string, unknown>) => unknown;

interface System {
  React: { createElement: (type: unknown, props: object | null, ...children: unknown[]) => unknown };
}

/** Returns a part of the page that has no landmark, as one with a name. */
const landmark =
  (role: string, name: string) =>
  (Original: Component, { React }: System): Component =>
  (props) =>
    React.createElement("div", { role, "aria-label": name }, React.createElement(Original, props));

export const PLUGIN = {
  wrapComponents: {
    /** A link inside the button that opens an operation: its words alone. The button sets the address too. */
    DeepLink:
      (_: Component, { React }: System): Component =>
      ({ text }) =>
        React.createElement("span", null, text),
    /** Groups of operations are headings of the third level: one of the second stands above them. */
    InfoContainer:
      (Original: Component, { React }: System): Component =>
      (props) =>
        React.createElement(
          "section",
          { "aria-label": "About this API" },
          React.createElement(Original, props),
          React.createElement("h2", { className: "docs-hidden" }, "Operations"),
        ),
    SchemesContainer: landmark("region", "Authorization"),
    FilterContainer: landmark("search", "Operations"),
  },
};
