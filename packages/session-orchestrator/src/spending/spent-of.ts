import {
  addSpent,
  callCost,
  nothingSpent,
  spentOfCall,
  stepSchema,
  type MissingForCost,
  type Spent,
  type TurnId,
} from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/storage-failure.ts";
import { childIds } from "../store/child-ids.ts";
import { skipInvalid } from "../store/skip-invalid.ts";
import { keys, storedConversationSchema } from "../store/stored.ts";

export interface CallsSpent extends Spent {
  readonly missing?: { readonly what: MissingForCost; readonly model: string };
}

function added(one: CallsSpent, other: CallsSpent): CallsSpent {
  return { ...one, ...other, ...addSpent(one, other) };
}

export async function spentOf(
  context: Pick<OrchestratorContext, "storage">,
  id: string,
  turnId?: TurnId,
): Promise<CallsSpent> {
  let spent = await spentIn(context, id, turnId);
  const { storage } = context;
  const waiting: { readonly id: string; readonly turnId?: TurnId | undefined }[] = [{ id, turnId }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (let before: string | undefined = "~"; before !== undefined;) {
      const ids: readonly string[] = await childIds(context, at.id, { before, limit: 100 });
      for (const child of ids) {
        if (at.turnId !== undefined) {
          const range = { prefix: keys.conversation(child), limit: 1, ...skipInvalid };
          const [entry] = await withServiceErrors(() => storage.list(range, storedConversationSchema));
          if (entry?.value.parent?.turnId !== at.turnId) continue;
        }
        spent = added(spent, await spentIn(context, child));
        waiting.push({ id: child });
      }
      before = ids.at(-1);
    }
  return spent;
}

/** A call that failed before its reply and without usage is free. */
async function spentIn(
  { storage }: Pick<OrchestratorContext, "storage">,
  id: string,
  turnId?: TurnId,
): Promise<CallsSpent> {
  let spent: CallsSpent = nothingSpent;
  for await (const { value: step } of storage.entries(keys.steps(id), stepSchema, skipInvalid)) {
    if (turnId !== undefined && step.turnId !== turnId) continue;
    if (step.requestSha256 === null || step.endedAt === null) continue;
    const cost = callCost(step.prices, step.usage);
    if (cost.kind === "known" || step.estimatedUsage !== undefined)
      spent = added(spent, { ...spentOfCall(step), unpriced: 0 });
    if (cost.kind === "unknown" && step.error === null)
      spent = added(spent, { ...nothingSpent, missing: { what: cost.missing, model: step.model } });
  }
  return spent;
}
