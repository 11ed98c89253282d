const whole = new Intl.NumberFormat("en");
const kilobyte = 1_024;
const smallestUsd = 0.0001;
const cent = 0.01;

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

interface Amounts {
  readonly count: (this: void, count: number) => string;
  readonly bytes: (this: void, bytes: number) => string;
  /** All of it is 100 % alone, and what there is any of is never 0 %. */
  readonly percent: (this: void, share: number) => string;
  readonly dollars: (this: void, usd: number) => string;
  /** As the person at the browser writes it; what is no time stays as it is. */
  readonly time: (this: void, timestamp: string) => string;
}

/** Numbers as people read them. */
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
  dollars(usd: number): string {
    if (usd === 0) return "$0";
    if (usd < smallestUsd) return `under $${smallestUsd}`;
    return usd < cent ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
  },
  time(timestamp: string): string {
    const date = new Date(timestamp);
    return Number.isNaN(date.getTime()) ? timestamp : moment.format(date);
  },
};
