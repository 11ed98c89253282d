import { lazySchema } from "@incipit/schema";
import * as z from "zod";

export interface RefusalOfVendor {
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; `undefined`: it was no JSON. */
  readonly body: unknown;
}

/** `{ error: { details: [{ "@type": "…RetryInfo", retryDelay: "34.07s" }] } }`, or a list of one: https://google.aip.dev/193 */
const refusalSchema = lazySchema(() => z.object({ error: z.object({ details: z.array(z.unknown()) }) }));
const bodySchema = lazySchema(() =>
  z.union([refusalSchema, z.tuple([refusalSchema]).transform(([refusal]) => refusal)]),
);
const retryInfoSchema = lazySchema(() => z.object({ retryDelay: z.string().regex(/^\d+(?:\.\d+)?s$/) }));

/**
 * How long a vendor asks to wait, in milliseconds; `undefined`: it does not say. `retry-after-ms` as OpenAI sends it,
 * `Retry-After` in seconds or as a date, which is read by the vendor's own clock, or what Gemini has in its body.
 */
export function retryAfter({ headers, body }: RefusalOfVendor): number | undefined {
  const { "retry-after-ms": milliseconds, "retry-after": seconds, date } = headers;
  const candidates = [
    milliseconds === undefined ? Number.NaN : Number(milliseconds),
    seconds === undefined ? Number.NaN : Number(seconds) * 1_000,
    Date.parse(seconds ?? "") - Date.parse(date ?? ""),
    ...retryDelays(body),
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
