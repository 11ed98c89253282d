/** Returns the local date in a time zone, such as `2026-12-24`. */
export function dayAt(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(atMs);
}

export function minuteAt(atMs: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" }).format(atMs);
  return minuteOf(text);
}

/** Returns the minutes since midnight of a time such as `08:30`. */
export function minuteOf(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(":").map(Number);
  return hours * 60 + minutes;
}

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
