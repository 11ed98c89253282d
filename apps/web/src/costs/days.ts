const dayMs = 86_400_000;

/** Returns the names of the last days in the local time zone, oldest first: `YYYY-MM-DD`. */
export function lastDays(count: number, now: Date): readonly string[] {
  return Array.from({ length: count }, (_, index) => nameOf(daysBefore(now, count - 1 - index)));
}

/** Returns the start of a day in the local time zone. */
export function beginningOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}

/** Returns the browser's IANA time zone. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Starts at noon, because a day with a clock change has 23 or 25 hours. */
function daysBefore(now: Date, days: number): Date {
  return new Date(new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12).getTime() - days * dayMs);
}

function nameOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
