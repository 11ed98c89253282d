export const cronRule = 'write minute, hour, day of month, month and weekday, such as "0 9 * * 1-5"';

const fields = [
  { name: "minute", min: 0, max: 59, words: [] },
  { name: "hour", min: 0, max: 23, words: [] },
  { name: "day of month", min: 1, max: 31, words: ["L", "LW"] },
  {
    name: "month",
    min: 1,
    max: 12,
    words: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
  },
  { name: "weekday", min: 0, max: 7, words: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "L"] },
] as const;

const nicknames = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

/** Returns `undefined` when computing its times has to decide. */
export function cronProblem(expression: string): string | undefined {
  const text = expression.trim();
  if (text.startsWith("@"))
    return nicknames.has(text.toLowerCase())
      ? undefined
      : `unknown nickname "${text}"; known: ${[...nicknames].join(", ")}`;
  const parts = text.split(/\s+/);
  if (parts.length !== fields.length)
    return `it has ${parts.length === 1 ? "1 field" : `${parts.length} fields`}, and needs five`;
  for (const [index, field] of fields.entries()) {
    const wrong = (parts[index] ?? "").split(/[,\-/#+?*]|(?<=\d)[LW]/).find((piece) => !isTaken(piece, field));
    if (wrong !== undefined) return `"${wrong}" is not a valid ${field.name} (${field.min} to ${field.max})`;
  }
  return undefined;
}

function isTaken(piece: string, { min, max, words }: (typeof fields)[number]): boolean {
  if (piece === "" || words.some((word) => word === piece.toUpperCase() || `${word}L` === piece.toUpperCase()))
    return true;
  return /^\d{1,2}$/.test(piece) && Number(piece) >= Math.min(min, 1) && Number(piece) <= max;
}
