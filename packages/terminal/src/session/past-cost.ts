import { callCostUsd, type Usage } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { sum } from "./spending.ts";

/** Model calls that are looked at: of older ones nothing is known here, and so the sum is not known either. */
const maxPages = 20;

/** What the calls of a conversation came to so far, and the newest of them. */
export async function pastCost(
  client: Client,
  id: string,
): Promise<{ readonly usd: number | null; readonly usage: Usage | undefined }> {
  let usd: number | null = 0;
  let usage: Usage | undefined;
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { limit: 500, ...(cursor === undefined ? {} : { cursor }) };
    const { steps, nextCursor } = await client.call(routes.listSteps, { params: { id }, query });
    for (const step of steps) {
      if (step.attempts > 0) usd = sum(usd, callCostUsd(step.prices, step.usage));
      usage = step.usage ?? usage;
    }
    cursor = nextCursor;
    if (cursor === undefined) return { usd, usage };
  }
  return { usd: null, usage };
}
