import type { TurnId } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/storage-failure.ts";
import { StepFailure } from "../failures/step-failure.ts";
import { fetchPrices } from "../models/fetch-prices.ts";
import type { FoundModel } from "../models/find-model.ts";
import { spentOf, type CallsSpent } from "../spending/spent-of.ts";
import { activeTurnSchema, keys, storedConversationSchema, type StoredConversation } from "../store/stored.ts";

interface AskedCall {
  readonly found: FoundModel;
  readonly model: string;
  readonly turnId: TurnId;
  readonly maxCost: number | undefined;
}

/**
 * Also checks the turns that delegated this one as a task.
 *
 * @throws {StepFailure} `MAX_COST`; `PRICE_UNKNOWN`.
 */
export async function assertWithinCost(
  context: OrchestratorContext,
  record: StoredConversation,
  { found, model, turnId, maxCost }: AskedCall,
): Promise<void> {
  let at: { readonly record: StoredConversation; readonly turnId: TurnId; readonly maxCost: number | undefined };
  at = { record, turnId, maxCost };
  for (;;) {
    if (at.maxCost !== undefined) {
      if ((await fetchPrices(context, found)) === null)
        throw priceUnknown(`the price of "${model}" is unknown`, setPrices);
      assertBelow(await spentOf(context, at.record.id, at.turnId), at.maxCost);
    }
    const { parent } = at.record;
    if (parent === null) return;
    const above = await withServiceErrors(() =>
      context.storage.get(keys.conversation(parent.conversationId), storedConversationSchema),
    );
    if (above === undefined) return;
    const active = await withServiceErrors(() => context.storage.get(keys.active(parent.turnId), activeTurnSchema));
    at = { record: above, turnId: parent.turnId, maxCost: active?.request.maxCost };
  }
}

function assertBelow({ usd, missing }: CallsSpent, maxCost: number): void {
  if (missing?.what === "price") throw priceUnknown(`the price of "${missing.model}" is unknown`, setPrices);
  if (missing !== undefined)
    throw priceUnknown(
      `"${missing.model}" answered without its ${missing.what}, which the cost is computed from`,
      "choose a model whose endpoint reports them",
    );
  if (usd < maxCost) return;
  const message = `The turn has cost $${usd.toFixed(4)}, and may cost $${maxCost}: no other model call begins`;
  throw new StepFailure({ code: "MAX_COST", message, isRetryable: false });
}

const setPrices = "write its prices into the configuration (prices = { input = …, output = … })";

function priceUnknown(why: string, whatToDo: string): StepFailure {
  const message = `The turn has a bound in US dollars, and ${why}: ${whatToDo}, or leave the bound out`;
  return new StepFailure({ code: "PRICE_UNKNOWN", message, isRetryable: false });
}
