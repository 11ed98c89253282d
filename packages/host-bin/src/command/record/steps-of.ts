import type { Step } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

export async function* stepsOf(client: Client, id: string): AsyncGenerator<Step> {
  for (let cursor: string | undefined; ;) {
    const query = { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const { steps, nextCursor } = await client.call(routes.listSteps, { params: { id }, query });
    yield* steps;
    cursor = nextCursor;
    if (cursor === undefined) return;
  }
}
