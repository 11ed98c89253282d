export function revealElement(id: string): void {
  const element = document.querySelector(`#${id}`);
  if (!(element instanceof HTMLElement)) return;
  const isFolded = element instanceof HTMLDetailsElement;
  if (isFolded) element.open = true;
  element.scrollIntoView({ block: "center" });
  const target = isFolded ? element.querySelector("summary") : null;
  (target ?? element).focus({ preventScroll: true });
}
