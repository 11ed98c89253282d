/** Returns the date in a time zone: `2026-12-24`. */
export function dayAt(atMs: number, timeZone: string): string {
  // The locale's dates are in ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(atMs);
}

/** Returns the minutes since midnight in a time zone. */
export function minuteAt(atMs: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" }).format(atMs);
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

/** Returns the machine's time zone. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
