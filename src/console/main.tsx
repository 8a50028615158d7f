/** The console's entry. */
import { render } from "preact";
import "@fontsource-variable/inter/wght.css";
// The file of all subsets says which characters each is for; those of one subset do not, and both would be loaded.
import "@fontsource/instrument-serif/400.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { App } from "./app.tsx";
import { watchPlaces } from "./lib/places.ts";
import { watchLeaving } from "./ui/unsaved.tsx";

watchLeaving();
watchPlaces();
const root = document.getElementById("app");
// In a task of its own: the browser may paint and answer between reading the script and the first rendering.
setTimeout(() => {
  if (!root) return;
  root.replaceChildren();
  delete document.documentElement.dataset["guest"];
  render(<App />, root);
});
