import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { activeTurnSchema, keys, type ActiveTurn } from "../store/stored.ts";
import { storedEntries } from "../store/stored-entries.ts";

/**
 * The turns of a conversation that were queued when a host ended, and wait for a person (`resume = "ask"`), oldest first. They
 * are stored apart from those that a start runs, so that a swap does not run them either.
 */
export async function readWaiting(
  context: OrchestratorContext,
  conversationId: string,
): Promise<readonly ActiveTurn[]> {
  const entries = await Array.fromAsync(storedEntries(context, keys.waitingOf(conversationId), activeTurnSchema));
  return entries.map(({ value }) => value);
}

/** Whether turns wait in a conversation that is not in memory. */
export async function hasWaiting({ storage }: OrchestratorContext, conversationId: string): Promise<boolean> {
  const range = { prefix: keys.waitingOf(conversationId), limit: 1, onInvalid: () => undefined };
  return (await storage.list(range, activeTurnSchema)).length > 0;
}

/** Ids of all conversations in which turns wait. */
export async function conversationsThatWait(context: OrchestratorContext): Promise<ReadonlySet<string>> {
  const entries = await Array.fromAsync(storedEntries(context, keys.allWaiting, activeTurnSchema));
  return new Set(entries.map(({ value }) => value.conversationId));
}
