const dayMs = 86_400_000;

/** `YYYY-MM-DD`, local, oldest first. */
export function lastDays(count: number, now: Date): readonly string[] {
  return Array.from({ length: count }, (_, index) => nameOf(daysBefore(now, count - 1 - index)));
}

export function beginningOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}

export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** From noon: a day with a clock change has 23 or 25 hours. */
function daysBefore(now: Date, days: number): Date {
  return new Date(new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12).getTime() - days * dayMs);
}

function nameOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
