// Before the first paint: the theme that was chosen here. Without one, the system's.
try {
  const theme = localStorage.getItem("silverprint.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage in this browser: the system's theme.
}
