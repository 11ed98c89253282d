import type { ArchivedFilter, Conversation, StatusFilter } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { api } from "../session/api.ts";

const pageSize = 50;
/** Conversations that one look takes of those among which only this browser can choose. */
const looksAtOnce = 1_000;

export interface ListedConversations {
  /** Those that fit, newest first. */
  readonly conversations: readonly Conversation[];
  /** How many were looked at, those that do not fit among them. */
  readonly looked: number;
  /** Others follow that were not looked at. */
  readonly hasMore: boolean;
}

/** What the host is asked for. */
export interface HostFilter {
  readonly archived: ArchivedFilter;
  readonly status?: StatusFilter;
  readonly model?: string;
}

interface ListOptions {
  /** So many are enough. */
  readonly count: number;
  readonly search: string;
  readonly filter: HostFilter;
  /** What the host does not know; absent: all fit that it gives. */
  readonly fits: ((conversation: Conversation) => boolean) | undefined;
}

/** So many of the newest that fit; fewer, where those that were looked at have no more. */
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
    const page = { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) };
    const found = await pageOf(page, { search, signal });
    looked += found.conversations.length;
    conversations.push(...found.conversations.filter((one) => fits?.(one) ?? true));
    cursor = found.nextCursor;
    // A page may have fewer than there are, or none, until there is no next one.
  } while (cursor !== undefined && conversations.length < count && looked < most);
  return { conversations, looked, hasMore: cursor !== undefined };
}

interface ConversationPage {
  readonly conversations: readonly Conversation[];
  readonly nextCursor?: string | undefined;
}

async function pageOf(
  query: HostFilter & { readonly limit: number; readonly cursor?: string },
  { search, signal }: { readonly search: string; readonly signal: AbortSignal },
): Promise<ConversationPage> {
  if (search === "") return api.call(routes.listConversations, { query: { ...query }, signal });
  const { results, nextCursor } = await api.call(routes.searchConversations, {
    query: { ...query, q: search },
    signal,
  });
  return { conversations: results.map(({ conversation }) => conversation), nextCursor };
}
