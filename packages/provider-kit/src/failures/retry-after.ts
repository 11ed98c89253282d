import { lazySchema } from "@incipit/schema";
import * as z from "zod";

/** In UTF-16 units, of the error message. */
const maxLookedAt = 4_000;

export interface RefusalOfVendor {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly message?: string;
}

/**
 * `{ error: { details: [{ "@type": "…RetryInfo", retryDelay: "34.07s" }] } }`, or a list of one:
 * https://google.aip.dev/193
 */
const refusalSchema = lazySchema(() => z.object({ error: z.object({ details: z.array(z.unknown()) }) }));
const bodySchema = lazySchema(() =>
  z.union([refusalSchema, z.tuple([refusalSchema]).transform(([refusal]) => refusal)]),
);
const retryInfoSchema = lazySchema(() => z.object({ retryDelay: z.string().regex(/^\d+(?:\.\d+)?s$/) }));

/**
 * In milliseconds, from OpenAI's `retry-after-ms`, `Retry-After` in seconds or as a date (relative to the vendor's
 * `Date`), Gemini's body, or the message: "try again in 1m12.5s", "retry after 3 seconds".
 */
export function retryAfter({ headers, body, message = "" }: RefusalOfVendor): number | undefined {
  const { "retry-after-ms": milliseconds, "retry-after": seconds, date } = headers;
  const candidates = [
    milliseconds === undefined ? Number.NaN : Number(milliseconds),
    seconds === undefined ? Number.NaN : Number(seconds) * 1_000,
    Date.parse(seconds ?? "") - Date.parse(date ?? ""),
    ...retryDelays(body),
    inWords(message),
  ];
  return candidates.find((candidate) => Number.isFinite(candidate) && candidate >= 0);
}

function retryDelays(body: unknown): readonly number[] {
  const details = bodySchema.safeParse(body).data?.error.details ?? [];
  return details.flatMap((detail) => {
    const { data } = retryInfoSchema.safeParse(detail);
    return data === undefined ? [] : [Math.round(Number.parseFloat(data.retryDelay) * 1_000)];
  });
}

const duration = /\d+(?:\.\d+)? ?(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![a-z])/;
const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const unit = /^(?<count>[\d.]+) ?(?<name>ms|mil|s|m|h)/;
const wait = new RegExp(
  `\\b(?:try again|retry|retrying|wait)(?: (?:again|in|after|for|at|least|about|another))* (?<time>(?:${duration.source},? ?(?:and )?)+)`,
  "i",
);

function inWords(message: string): number {
  const time = wait.exec(message.slice(0, maxLookedAt))?.groups?.["time"];
  if (time === undefined) return Number.NaN;
  const parts = time.toLowerCase().matchAll(/[\d.]+ ?[a-z]+/g);
  const milliseconds = [...parts].map(([part]) => {
    const { count, name } = unit.exec(part)?.groups ?? {};
    if (name === "mil" || name === "ms") return Number(count);
    return Number(count) * (name === "s" || name === "m" || name === "h" ? units[name] : Number.NaN);
  });
  return Math.round(milliseconds.reduce((sum, each) => sum + each, 0));
}
