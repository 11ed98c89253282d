import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { activeTurnSchema, keys, type ActiveTurn } from "../store/stored.ts";
import { storedEntries } from "../store/read-page.ts";
import * as z from "zod";

/**
 * Queued when a host ended, they wait for confirmation (`resume = "ask"`); oldest first. Separate keys, so that
 * neither a start nor a swap runs them.
 */
export async function readWaiting(
  context: OrchestratorContext,
  conversationId: string,
): Promise<readonly ActiveTurn[]> {
  const entries = await Array.fromAsync(storedEntries(context, keys.waitingOf(conversationId), activeTurnSchema));
  return entries.map(({ value }) => value);
}

export async function hasWaiting({ storage }: OrchestratorContext, conversationId: string): Promise<boolean> {
  const range = { prefix: keys.waitingOf(conversationId), limit: 1, onInvalid: () => undefined };
  return (await storage.list(range, activeTurnSchema)).length > 0;
}

export async function waitingConversationIds(
  { storage }: OrchestratorContext,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly string[]> {
  const ids = new Set<string>();
  const atOnce = Math.max(limit, 100);
  for (let end = `${keys.allWaiting}${before?.trimEnd() ?? ""}~`; ids.size < limit;) {
    const rows = await storage.list({ start: keys.allWaiting, end, reverse: true, limit: atOnce }, z.unknown());
    const found = rows.map(({ key }) => key.slice(keys.allWaiting.length, key.lastIndexOf(":")));
    for (const id of found) if (before === undefined || id < before) ids.add(id);
    const last = found.at(-1);
    if (last === undefined || rows.length < atOnce) break;
    end = keys.waitingOf(last); // Skips further turns of the same conversation.
  }
  return [...ids].slice(0, limit);
}

export async function listWaitingConversations(context: OrchestratorContext): Promise<ReadonlySet<string>> {
  const entries = await Array.fromAsync(storedEntries(context, keys.allWaiting, activeTurnSchema));
  return new Set(entries.map(({ value }) => value.conversationId));
}
