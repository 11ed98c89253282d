const storageKey = "single-keys";

/** Whether keys without Ctrl or Alt do something: whoever speaks to their computer, or types by accident, switches that off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== "off";
}

export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, "off");
  } catch {
    // There is no room: it stays as it was, and the box that asks shows that.
  }
}

/** Whether what is typed now is text, or a choice in a list. */
export function isTyping(event: KeyboardEvent): boolean {
  // What has the focus in a shadow root is seen from within alone.
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select, [role=textbox], [role=combobox]"))
  );
}
