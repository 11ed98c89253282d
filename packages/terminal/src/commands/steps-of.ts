import type { Step } from "@incipit/schema";
import { pagesOf, routes, type Client } from "@incipit/transport-contract";

export async function* stepsOf(client: Client, id: string): AsyncGenerator<Step> {
  const read = (cursor: string | undefined) =>
    client.call(routes.listSteps, { params: { id }, query: { limit: 500, cursor } });
  for await (const { steps } of pagesOf(read)) yield* steps;
}
