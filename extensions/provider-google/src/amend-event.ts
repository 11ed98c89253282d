import { parsedJson } from "@incipit/model-endpoint";
import * as z from "zod";

const eventSchema = z.looseObject({ candidates: z.array(z.looseObject({})) });

/**
 * One event of a reply, without the token with which the package would ask for more by itself: one step is one request, that
 * can be read back. The reply is then over because it was too long, as the vendor says with it.
 * https://ai.google.dev/api/generate-content#FinishReason
 */
export function amendEvent(data: string): string {
  if (!data.includes('"continuationToken"')) return data;
  const event = eventSchema.safeParse(parsedJson(data));
  if (!event.success) return data;
  const candidates = event.data.candidates.map((candidate) => {
    const { continuationToken: _, ...rest } = candidate;
    return rest;
  });
  return JSON.stringify({ ...event.data, candidates });
}
