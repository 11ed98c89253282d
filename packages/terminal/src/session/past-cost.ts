import { callCost, type Usage } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { nothingSpent, withPrice, type Spent } from "./spending.ts";

/** Model calls that are looked at: those behind them are counted as one without a price. */
const maxPages = 100;

/** What the calls of a conversation came to so far, and the newest of them. */
export async function pastCost(
  client: Client,
  id: string,
): Promise<{ readonly spent: Spent; readonly usage: Usage | undefined }> {
  let spent = nothingSpent;
  let usage: Usage | undefined;
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const { steps, nextCursor } = await client.call(routes.listSteps, { params: { id }, query });
    for (const step of steps) {
      if (step.attempts > 0) spent = withPrice(spent, callCost(step.prices, step.usage));
      if ((step.usage?.inputTokens ?? null) !== null) usage = step.usage ?? usage;
    }
    cursor = nextCursor;
    if (cursor === undefined) return { spent, usage };
  }
  return { spent: withPrice(spent, { kind: "unknown", missing: "token counts" }), usage };
}
