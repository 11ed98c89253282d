/** What the page has under an id. */
export function element(id: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`#${id}`);
  if (found === null) throw new Error(`The page has no "${id}"`);
  return found;
}

/** What somebody has typed into a field. */
export function typed(name: string): string {
  return document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? "";
}
