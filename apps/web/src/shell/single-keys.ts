import { keep } from "../session/kept-here.ts";

const storageKey = "single-keys";

/** Users of speech input may need to disable them. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== "off";
}

/** Stays unchanged if the browser's storage is full. */
export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageKey);
  else keep(localStorage, storageKey, "off");
}

export function isTyping(event: KeyboardEvent): boolean {
  // Inside a shadow root, only the composed path has the focused element.
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select, [role=textbox], [role=combobox]"))
  );
}
