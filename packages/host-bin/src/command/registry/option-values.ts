import { UsageError } from "./usage-error.ts";

export function wholeNumber(text: string, flag: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`"--${flag} ${text}" is not a number; write one from 1 on, such as --${flag} 20`);
}

export function usDollars(text: string, flag: string): number {
  const value = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= 1_000_000) return value;
  throw new UsageError(`"--${flag} ${text}" is not an amount; write US dollars, such as --${flag} 0.50`);
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

export function milliseconds(text: string, flag: string): number {
  const [, count = "", unit = "s"] = /^([1-9]\d{0,4})([smh])?$/.exec(text) ?? [];
  const result = Number(count) * (unit === "s" || unit === "m" || unit === "h" ? unitMs[unit] : 0);
  // A longer timer fires immediately in this runtime.
  if (count !== "" && result < 2 ** 31) return result;
  throw new UsageError(`"--${flag} ${text}" is not a time; write seconds, or 90s, 5m, 2h`);
}
