import type { ArchivedFilter, Conversation, StatusFilter } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { api } from "../session/api.ts";

const pageSize = 50;
/** Limit per load for filters that only this browser can apply. */
const looksAtOnce = 1_000;

export interface ListedConversations {
  readonly conversations: readonly Conversation[];
  /** Includes those without a match. */
  readonly looked: number;
  readonly hasMore: boolean;
}

export interface HostFilter {
  readonly archived: ArchivedFilter;
  readonly status?: StatusFilter;
  readonly model?: string;
}

interface ListOptions {
  readonly count: number;
  readonly search: string;
  readonly filter: HostFilter;
  /** Filter that the host does not support, if any. */
  readonly fits: ((conversation: Conversation) => boolean) | undefined;
}

export async function listConversations(
  { count, search, filter, fits }: ListOptions,
  signal: AbortSignal,
): Promise<ListedConversations> {
  const limit = fits === undefined ? pageSize : pageSize * 5;
  const most = fits === undefined ? count : Math.max(looksAtOnce, count * 5);
  const conversations: Conversation[] = [];
  let looked = 0;
  let cursor: string | undefined;
  do {
    const page = { ...filter, limit, cursor };
    const found = await pageOf(page, { search, signal });
    looked += found.conversations.length;
    conversations.push(...found.conversations.filter((one) => fits?.(one) ?? true));
    cursor = found.nextCursor;
    // Pages may be short or empty although more follow.
  } while (cursor !== undefined && conversations.length < count && looked < most);
  return { conversations, looked, hasMore: cursor !== undefined };
}

interface ConversationPage {
  readonly conversations: readonly Conversation[];
  readonly nextCursor?: string | undefined;
}

async function pageOf(
  query: HostFilter & { readonly limit: number; readonly cursor: string | undefined },
  { search, signal }: { readonly search: string; readonly signal: AbortSignal },
): Promise<ConversationPage> {
  if (search === "") return api.call(routes.listConversations, { query: { ...query }, signal });
  const { results, nextCursor } = await api.call(routes.searchConversations, {
    query: { ...query, q: search },
    signal,
  });
  return { conversations: results.map(({ conversation }) => conversation), nextCursor };
}
