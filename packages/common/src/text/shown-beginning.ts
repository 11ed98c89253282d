const maxShown = 200;

export function shownBeginning(text: string): string {
  const line = text
    .slice(0, 4 * maxShown)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
