const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const shortestMs = 1_000;
const longestMs = 366 * 86_400_000;

export const everyRule = 'write a number and s, m, h or d, from "1s" to "366d", such as "15m"';

export function intervalMs(every: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(every) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? Number.NaN);
  return ms >= shortestMs && ms <= longestMs ? ms : undefined;
}
