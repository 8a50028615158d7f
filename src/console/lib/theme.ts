/** The colour theme: the system's, or one that was chosen on this device (`first.ts` sets it before the first paint). */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "silverprint.theme";

export function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Returns the choice where no script has set it yet. */
export function storedTheme(): Theme {
  try {
    const theme = localStorage.getItem(STORED);
    return theme === "light" || theme === "dark" ? theme : "system";
  } catch {
    return "system";
  }
}

export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  try {
    if (theme === "system") localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, theme);
  } catch {
    // No storage: the choice lasts as long as the page.
  }
  window.dispatchEvent(new Event("themechange"));
}
