const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Formats a time as local time, such as `2026-11-23 08:00`. */
export function minuteOf(time: string): string {
  const at = new Date(time);
  const [year, ...rest] = [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()];
  const [month = "", day = "", hour = "", minute = ""] = rest.map((part) => String(part).padStart(2, "0"));
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

export function ago(time: string, nowMs: number): string {
  const ms = nowMs - Date.parse(time);
  if (ms < minuteMs) return "just now";
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min ago`;
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ago`;
  if (ms < 7 * dayMs) return `${Math.floor(ms / dayMs)} d ago`;
  return minuteOf(time).slice(0, 10);
}

export function beginOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}
