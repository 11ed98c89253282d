/** Brings an element into view, opened if it was folded, with the focus on it. */
export function leadTo(id: string): void {
  const element = document.querySelector(`#${id}`);
  if (!(element instanceof HTMLElement)) return;
  const summary = element.querySelector("summary");
  if (element instanceof HTMLDetailsElement) element.open = true;
  element.scrollIntoView({ block: "center" });
  (summary ?? element).focus({ preventScroll: true });
}
