// Light or dark: as the system says, unless it was chosen here.

import { signal } from "@preact/signals";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "mextrain.theme";

export const theme = signal<Theme>("auto");

export function startTheme(): void {
  const stored = localStorage.getItem(STORED);
  setTheme(THEMES.find((each) => each === stored) ?? "auto");
}

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem(STORED, chosen);
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
