import type { ConversationId, SearchMatch, SearchResult } from "@incipit/schema";
import { ServiceError, type Page, type SearchQuery } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { FilteredRecords } from "../conversations/filtered-records.ts";
import type { LoadedConversations } from "../conversations/loaded-conversations.ts";
import { viewOf } from "../conversations/list-conversations.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { keys, storedConversationSchema, type StoredConversation } from "../store/stored.ts";
import { findInText, fold } from "./find-in-text.ts";
import { MessagePages, SearchBudget, searchMessages } from "./search-messages.ts";

const maxMatches = 3;

const pageSize = 50;

/** Newest first, within a budget per call. A conversation with matches is returned once and not searched further. */
export async function searchConversations(
  context: OrchestratorContext,
  loaded: LoadedConversations,
  { q, cursor, limit, ...filter }: SearchQuery,
): Promise<Page<SearchResult>> {
  const terms = searchTerms(q);
  if (terms.length === 0) {
    throw new ServiceError(
      "INVALID_REQUEST",
      `q contains no search word: ${JSON.stringify(q)}; write words to search for`,
    );
  }
  const resume = cursor === undefined ? undefined : placeOf(cursor);
  const budget = new SearchBudget();
  const records = new FilteredRecords(context, loaded, filter);
  const messages = new MessagePages(context);
  const items: SearchResult[] = [];
  let before = resume === undefined ? undefined : resume.messagesBefore === undefined ? resume.id : `${resume.id} `;
  for (;;) {
    const page = await records.before(before, Math.min(pageSize, budget.records));
    for (const record of page.records) {
      budget.spend();
      before = record.id;
      if (records.fits(record)) {
        const messagesBefore = record.id === resume?.id ? resume.messagesBefore : undefined;
        const inTitle = messagesBefore === undefined ? titleMatches(record, terms) : [];
        const { matches: inMessages, leftBefore } = await searchMessages(messages, record.id, {
          terms,
          budget,
          before: messagesBefore,
          maxMatches: maxMatches - inTitle.length,
          isAhead: page.isGapless,
        });
        const matches = [...inTitle, ...inMessages];
        if (matches.length === 0 && leftBefore !== undefined)
          return { items, nextCursor: `${record.id}:${leftBefore}` };
        const kept = matches.length === 0 ? undefined : await stillThere(context, record.id);
        const conversation = kept && (await viewOf(context, loaded, kept));
        if (conversation !== undefined && records.isWanted(conversation)) items.push({ conversation, matches });
      }
      if (items.length === limit || budget.isSpent) return { items, nextCursor: record.id };
    }
    if (page.oldest === undefined) return { items };
    before = page.oldest;
    budget.spend({ records: page.damaged });
    if (budget.isSpent) return { items, nextCursor: before };
  }
}

function placeOf(cursor: string): { readonly id: string; readonly messagesBefore: number | undefined } {
  const [, id = "", index] = /^([\da-f-]{36})(?::(\d{1,12}))?$/.exec(cursor) ?? [];
  if (id !== "") return { id, messagesBefore: index === undefined ? undefined : Number(index) };
  const message = `"${cursor}" is not a search cursor; send the nextCursor of a response, or none`;
  throw new ServiceError("INVALID_REQUEST", message);
}

function titleMatches({ title }: StoredConversation, terms: readonly RegExp[]): readonly SearchMatch[] {
  const found = findInText(title ?? "", terms);
  return found === undefined ? [] : [{ messageId: null, role: null, ...found }];
}

async function stillThere(
  { storage }: OrchestratorContext,
  id: ConversationId,
): Promise<StoredConversation | undefined> {
  return withServiceErrors(() => storage.get(keys.conversation(id), storedConversationSchema));
}

/** Over folded text: words, and "quoted phrases" with any whitespace between words. */
export function searchTerms(query: string): readonly RegExp[] {
  const terms = query.matchAll(/"([^"]*)"?|[^\s"]+/gu).map(([text, phrase = text]) => {
    const words = fold(phrase).split(/\s+/u);
    return words.filter((word) => word !== "").map((word) => RegExp.escape(word));
  });
  const sources = terms.flatMap((words) => (words.length === 0 ? [] : [words.join("\\s+")]));
  return [...new Set(sources)].map((source) => new RegExp(source, "gu"));
}
