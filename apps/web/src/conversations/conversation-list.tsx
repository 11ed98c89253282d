import type { Conversation } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { addressOf } from "../place/place.ts";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";

const pageSize = 50;
/** Conversations that run elsewhere are seen after this. */
const refreshMs = 10_000;
const searchDelayMs = 200;

interface ListProps {
  readonly openId: string | undefined;
  /** Another number: something has changed. */
  readonly changes: number;
  readonly onChange: () => void;
}

export function ConversationList({ openId, changes, onChange }: ListProps): JSX.Element {
  const said = words.conversations;
  const [typed, setTyped] = useState("");
  const [search, setSearch] = useState("");
  const [areArchived, setAreArchived] = useState(false);
  const [count, setCount] = useState(pageSize);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), searchDelayMs);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) onChange();
    }, refreshMs);
    return () => clearInterval(timer);
  }, []);
  const query = { count, search, areArchived };
  const { loaded, reload } = useLoad(
    (signal) => listed(query, signal),
    [openId, changes, count, search, areArchived],
  );
  return (
    <aside class="list" aria-label={said.title}>
      <header>
        <a class="button" href="#/conversations">
          {said.new}
        </a>
        <input
          type="search"
          value={typed}
          placeholder={said.searchHint}
          aria-label={said.search}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <label class="quiet">
          <input
            type="checkbox"
            checked={areArchived}
            onChange={({ currentTarget }) => setAreArchived(currentTarget.checked)}
          />
          {said.showArchived}
        </label>
      </header>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && (
        <>
          {loaded.value.conversations.length === 0 && (
            <p class="quiet">{search === "" ? said.none : said.noneFound}</p>
          )}
          <ol>
            {loaded.value.conversations.map((conversation) => (
              <Entry key={conversation.id} conversation={conversation} isOpen={conversation.id === openId} />
            ))}
          </ol>
          {loaded.value.hasMore && (
            <button type="button" class="plain" onClick={() => setCount(count + pageSize)}>
              {said.more}
            </button>
          )}
        </>
      )}
    </aside>
  );
}

function Entry({
  conversation,
  isOpen,
}: {
  readonly conversation: Conversation;
  readonly isOpen: boolean;
}): JSX.Element {
  const { id, title, model, archived } = conversation;
  const state = stateOf(conversation);
  return (
    <li>
      <a href={addressOf({ view: "conversations", id })} aria-current={isOpen ? "true" : undefined}>
        <span class="title" dir="auto">
          {title ?? words.conversations.untitled}
        </span>
        <span class="quiet">
          {[model, archived ? words.conversations.archived : undefined, state].filter(Boolean).join(" · ")}
        </span>
      </a>
    </li>
  );
}

function stateOf({ status, approvals }: Conversation): string | undefined {
  const { needsAnswer, running, compacting, waiting } = words.conversations;
  if (approvals.length > 0) return needsAnswer;
  return { idle: undefined, running, compacting, waiting }[status];
}

interface Listed {
  readonly conversations: readonly Conversation[];
  readonly hasMore: boolean;
}

/** So many of the newest; a page may have fewer than there are, until there is no next one. */
async function listed(
  {
    count,
    search,
    areArchived,
  }: { readonly count: number; readonly search: string; readonly areArchived: boolean },
  signal: AbortSignal,
): Promise<Listed> {
  const archived = areArchived ? "all" : "false";
  const conversations: Conversation[] = [];
  let cursor: string | undefined;
  do {
    const page = { limit: pageSize, archived, ...(cursor === undefined ? {} : { cursor }) } as const;
    if (search === "") {
      const found = await api.call(routes.listConversations, { query: page, signal });
      conversations.push(...found.conversations);
      cursor = found.nextCursor;
    } else {
      const found = await api.call(routes.searchConversations, { query: { ...page, q: search }, signal });
      conversations.push(...found.results.map(({ conversation }) => conversation));
      cursor = found.nextCursor;
    }
  } while (cursor !== undefined && conversations.length < count);
  return { conversations, hasMore: cursor !== undefined };
}
