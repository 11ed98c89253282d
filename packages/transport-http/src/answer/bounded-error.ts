import type { ErrorResponse } from "@incipit/transport-contract";

/** Some texts of an error quote client input. */
const maxErrorLength = 4_096;
const kept = { atStart: 3_072, atEnd: 512 } as const;
const maxDetailDepth = 8;

/** Truncates in the middle: the problem is at the beginning of a message, the solution at its end. */
export function boundedError({ code, message, details, next }: ErrorResponse["error"]): ErrorResponse["error"] {
  return {
    code,
    message: boundedText(message),
    ...(details === undefined ? {} : { details: boundedValue(details, maxDetailDepth) }),
    ...(next === undefined ? {} : { next }),
  };
}

function boundedText(text: string): string {
  if (text.length <= maxErrorLength) return text;
  const start = text.slice(0, kept.atStart).toWellFormed();
  const end = text.slice(-kept.atEnd).toWellFormed();
  return `${start}… (${text.length - kept.atStart - kept.atEnd} characters are left out here) …${end}`;
}

function boundedValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return boundedText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => boundedValue(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, boundedValue(item, depth - 1)]));
}
