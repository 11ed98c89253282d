import { UsageError } from "../registry/usage-error.ts";

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Accepts `2d`, `3h`, `today`, `yesterday`, a date, or a date and time; in the caller's time zone by default. */
export function whenOf(text: string, { option, now }: { readonly option: string; readonly now: Date }): Date {
  const [, count, unit] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined && (unit === "m" || unit === "h" || unit === "d" || unit === "w"))
    return new Date(now.valueOf() - Number(count) * unitMs[unit]);
  if (text === "today" || text === "yesterday")
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (text === "today" ? 0 : 1));
  const time = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text);
  // The runtime also parses arbitrary other text as a date.
  if (/^\d{4}-\d{2}/.test(text) && !Number.isNaN(time.valueOf())) return time;
  throw new UsageError(
    `"--${option} ${text}" is not a time; write 3h, 2d, today, yesterday, a date such as 2026-11-21, or 2026-11-21T10:00Z`,
  );
}
