import type { Spent } from "../session/spending.ts";

export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  const [divided, unit] = count < 999_950 ? [count / 1_000, "k"] : [count / 1_000_000, "M"];
  return `${divided < 100 ? trimmed(divided.toFixed(1)) : Math.round(divided)}${unit}`;
}

/** Formats an amount with significant digits. @param amount `null` if the price is unknown. */
export function usd(amount: number | null): string {
  if (amount === null) return "price unknown";
  if (amount === 0) return "$0";
  if (amount < 0.0001) return "<$0.0001";
  return `$${amount < 0.01 ? amount.toFixed(4) : amount < 1 ? amount.toFixed(3) : amount.toFixed(2)}`;
}

/** `over` if a call has no price, `≤` for an upper bound, `about` for both. */
export function spentText({ usd: amount, unpriced, isAtMost, missing }: Spent): string {
  if (unpriced === 0) return isAtMost === true && amount > 0 ? `≤ ${usd(amount)}` : usd(amount);
  if (amount === 0) return missing === undefined || missing === "price" ? usd(null) : `${missing} not reported`;
  return `${isAtMost === true ? "about" : "over"} ${usd(amount)}`;
}

/** Formats a share as a percentage; only 1 becomes 100 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return `${rounded === 100 && share < 1 ? 99 : rounded} %`;
}

export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function trimmed(text: string): string {
  return text.replace(/\.0$/, "");
}
