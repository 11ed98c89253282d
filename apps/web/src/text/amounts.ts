const whole = new Intl.NumberFormat("en");
const kilobyte = 1_024;
const smallestUsd = 0.0001;
const cent = 0.01;

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

interface Amounts {
  readonly count: (this: void, count: number) => string;
  readonly bytes: (this: void, bytes: number) => string;
  /** Only 1 is 100 %, and only 0 is 0 %. */
  readonly percent: (this: void, share: number) => string;
  /** They add up to 100, unless some are under 1 %. */
  readonly shares: (this: void, sizes: readonly number[]) => readonly string[];
  readonly dollars: (this: void, usd: number) => string;
  /** Local; invalid times are unchanged. */
  readonly time: (this: void, timestamp: string) => string;
  /** Formats the time since then; after a week, the date. */
  readonly ago: (this: void, timestamp: string, nowMs: number) => string;
}

export const amounts: Amounts = {
  count: (count: number): string => whole.format(count),
  bytes(bytes: number): string {
    if (bytes === 1) return "1 byte";
    if (bytes < kilobyte) return `${bytes} bytes`;
    const kilobytes = bytes / kilobyte;
    return kilobytes < kilobyte ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / kilobyte).toFixed(1)} MB`;
  },
  percent(share: number): string {
    if (share <= 0) return "0 %";
    if (share >= 1) return "100 %";
    const percent = share * 100;
    return percent < 1 ? "under 1 %" : `${Math.floor(percent)} %`;
  },
  shares(sizes: readonly number[]): readonly string[] {
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const exact = sizes.map((size) => (total === 0 ? 0 : (size / total) * 100));
    const rounded = exact.map(Math.floor);
    const left = 100 - rounded.reduce((sum, percent) => sum + percent, 0);
    // Distributes the rounding loss by largest remainder; shares below 1 % are shown as such.
    const byCut = [...exact.keys()]
      .filter((index) => (rounded[index] ?? 0) >= 1 && (rounded[index] ?? 0) < 99)
      .toSorted((one, other) => ((exact[other] ?? 0) % 1) - ((exact[one] ?? 0) % 1));
    for (const index of byCut.slice(0, total === 0 ? 0 : left)) rounded[index] = (rounded[index] ?? 0) + 1;
    return rounded.map((percent, index) =>
      percent >= 1 || sizes[index] === 0 ? `${percent} %` : amounts.percent((exact[index] ?? 0) / 100),
    );
  },
  dollars(usd: number): string {
    if (usd === 0) return "$0";
    if (usd < smallestUsd) return `under $${smallestUsd}`;
    return usd < cent ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
  },
  time(timestamp: string): string {
    const date = new Date(timestamp);
    return Number.isNaN(date.getTime()) ? timestamp : moment.format(date);
  },
  ago(timestamp: string, nowMs: number): string {
    const date = new Date(timestamp);
    const minutes = Math.floor((nowMs - date.getTime()) / 60_000);
    if (Number.isNaN(minutes)) return timestamp;
    if (minutes < 1) return "just now";
    if (minutes < 60) return relative.format(-minutes, "minute");
    if (minutes < 24 * 60) return relative.format(-Math.floor(minutes / 60), "hour");
    if (minutes < 7 * 24 * 60) return relative.format(-Math.floor(minutes / 60 / 24), "day");
    return day.format(date);
  },
};
