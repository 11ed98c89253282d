export const elementIds = {
  system: (index: number): string => `told-system-${index}`,
  range: (index: number, range: number): string => `told-system-${index}-${range}`,
  tool: (index: number): string => `told-tool-${index}`,
  message: (index: number): string => `told-message-${index}`,
} as const;

export function revealElement(id: string): void {
  const element = document.querySelector(`#${id}`);
  if (!(element instanceof HTMLElement)) return;
  const isFolded = element instanceof HTMLDetailsElement;
  if (isFolded) element.open = true;
  element.scrollIntoView({ block: "center" });
  const target = isFolded ? element.querySelector("summary") : null;
  (target ?? element).focus({ preventScroll: true });
}
