/** The date in a time zone: `2026-12-24`. */
export function dayAt(atMs: number, timeZone: string): string {
  // Its dates are those of ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(atMs);
}

/** The time of day in a time zone, in minutes since midnight. */
export function minuteAt(atMs: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" }).format(atMs);
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

/** The machine's. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
