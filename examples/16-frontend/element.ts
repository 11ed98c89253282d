/** @throws when the page has no such element. */
export function element(id: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`#${id}`);
  if (found === null) throw new Error(`The page has no "${id}"`);
  return found;
}

/** Returns the content of a text field. */
export function typed(name: string): string {
  return document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? "";
}
