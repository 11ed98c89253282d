const storageKey = "single-keys";

/** Users of speech input may need to disable them. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, "off");
  } catch {
    // Storage is full: the setting stays unchanged.
  }
}

export function isTyping(event: KeyboardEvent): boolean {
  // Inside a shadow root, only the composed path has the focused element.
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select, [role=textbox], [role=combobox]"))
  );
}
