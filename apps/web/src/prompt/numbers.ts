const formatted = new Intl.NumberFormat("en");

/** A count with marks between its thousands. */
export function countOf(count: number): string {
  return formatted.format(count);
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A point in time as the person at the browser writes it. */
export function timeOf(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
