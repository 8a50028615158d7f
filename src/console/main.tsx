/** The console's entry. */
import { render } from "preact";
import "@fontsource-variable/inter/wght.css";
import "@fontsource/instrument-serif/latin.css";
import "@fontsource/instrument-serif/latin-ext.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { App } from "./app.tsx";
import { watchLeaving } from "./ui/unsaved.tsx";

watchLeaving();
const root = document.getElementById("app");
if (root) render(<App />, root);
