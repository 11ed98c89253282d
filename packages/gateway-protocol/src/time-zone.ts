/** `2026-12-24` */
export function dayAt(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(atMs);
}

export function minuteAt(atMs: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" }).format(atMs);
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
