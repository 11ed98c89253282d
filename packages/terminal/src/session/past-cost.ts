import { callCost, type Usage } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { nothingSpent, withPrice, type Spent } from "./spending.ts";

/** Calls beyond count as unpriced. */
const maxPages = 100;

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
