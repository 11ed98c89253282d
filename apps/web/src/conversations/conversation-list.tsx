import type { Conversation } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useCommands } from "../controls/commands.ts";
import { Button } from "../controls/fields.tsx";
import { Problem } from "../controls/problem.tsx";
import { addressOf, goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad, useRefresh } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { words } from "../text/words.ts";
import { useDeletions } from "./deletions.ts";
import { listConversations, type ListedConversations } from "./list-conversations.ts";
import { hostFilterOf, ListFilter, noFilter } from "./list-filter.tsx";
import { isUnread, useSeen } from "./seen.ts";

const shownAtOnce = 50;
/** Interval of reloading the list, because other clients run conversations, too. */
const refreshMs = 10_000;
const searchDelayMs = 200;

interface ListProps {
  readonly openId: string | undefined;
  readonly changes: number;
  readonly onChange: () => void;
}

export function ConversationList({ openId, changes, onChange }: ListProps): JSX.Element {
  const said = words.conversations;
  const [typed, setTyped] = useState("");
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState(noFilter);
  const [count, setCount] = useState(shownAtOnce);
  const deletions = useDeletions();
  const seen = useSeen();
  const fits = filter.status === "unread" ? isUnread : undefined;
  const field = useRef<HTMLInputElement>(null);
  useCommands([
    {
      id: "search",
      label: words.commands.search,
      key: "/",
      run: () => {
        // In a narrow window, the list is visible only while no conversation is open.
        if (field.current?.checkVisibility() === false) {
          goTo({ view: "conversations", id: undefined });
          requestAnimationFrame(() => requestAnimationFrame(() => field.current?.focus()));
        } else field.current?.focus();
      },
    },
  ]);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), searchDelayMs);
    return () => clearTimeout(timer);
  }, [typed]);
  useRefresh(onChange, refreshMs);
  const loaded = useLoad(
    (signal) => listConversations({ count, search, filter: hostFilterOf(filter), fits }, signal),
    // Read marks affect only the filter "unread".
    [openId, changes, count, search, filter, filter.status === "unread" ? seen : 0],
  );
  const listed = loaded.known;
  const models = useModels(listed);
  const shown = listed?.conversations.filter(({ id }) => deletions.every((deletion) => deletion.id !== id)) ?? [];
  const hasArchived = useHasArchived(listed?.looked === 0 && !filter.areArchived, changes);
  const isNarrowed = search !== "" || filter.status !== "all" || filter.model !== "";
  return (
    <aside class="list" aria-label={said.title}>
      <header>
        <a class="button" href="#/conversations">
          {said.new}
        </a>
        <input
          ref={field}
          type="search"
          value={typed}
          placeholder={said.searchHint}
          aria-label={said.search}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {(models.length > 0 || hasArchived || isNarrowed || filter.areArchived) && (
          <ListFilter filter={filter} models={models} onChange={setFilter} />
        )}
      </header>
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={loaded.reload} />}
      {listed === undefined && loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {listed !== undefined && (
        <>
          <p class="quiet" role="status">
            {shown.length === 0
              ? emptyText(listed, isNarrowed)
              : countText(listed, shown.length, fits !== undefined)}
          </p>
          {shown.length === 0 && isNarrowed && (
            <Button
              text={said.showAll}
              class="plain"
              onClick={() => {
                setTyped("");
                setSearch("");
                setFilter({ ...noFilter, areArchived: filter.areArchived });
              }}
            />
          )}
          {shown.length === 0 && isNarrowed && !filter.areArchived && (
            <Button
              text={said.includeArchived}
              class="plain"
              onClick={() => setFilter({ ...filter, areArchived: true })}
            />
          )}
          {shown.length > 0 && (
            <ol>
              {shown.map((conversation) => (
                <Entry key={conversation.id} conversation={conversation} isOpen={conversation.id === openId} />
              ))}
            </ol>
          )}
          {listed.hasMore && (
            <Button
              text={fits === undefined ? said.more : said.lookFurther}
              class="plain"
              onClick={() => setCount(count + shownAtOnce)}
            />
          )}
        </>
      )}
    </aside>
  );
}

function useHasArchived(isAsked: boolean, changes: number): boolean {
  const loaded = useLoad(
    async (signal) => {
      if (!isAsked) return false;
      const query = { archived: "true", limit: 1 } as const;
      const { conversations } = await api.call(routes.listConversations, { query, signal });
      return conversations.length > 0;
    },
    [isAsked, isAsked ? changes : 0],
  );
  return loaded.state === "ready" && loaded.value;
}

/** Keeps the other models available after one is chosen. */
function useModels(listed: ListedConversations | undefined): readonly string[] {
  const models = useRef(new Set<string>());
  for (const { model } of listed?.conversations ?? []) models.current.add(model);
  return [...models.current];
}

function emptyText({ hasMore, looked }: ListedConversations, isNarrowed: boolean): string {
  const said = words.conversations;
  if (!isNarrowed) return said.none;
  return hasMore ? said.noneFoundYet(looked) : said.noneFound;
}

function countText({ hasMore, looked }: ListedConversations, count: number, isChosenHere: boolean): string {
  const said = words.conversations;
  if (!hasMore) return said.count(count);
  return isChosenHere ? said.countOfLooked(count, looked) : said.countNewest(count);
}

function Entry({
  conversation,
  isOpen,
}: {
  readonly conversation: Conversation;
  readonly isOpen: boolean;
}): JSX.Element {
  const said = words.conversations;
  const { id, title, model, archived, updatedAt } = conversation;
  const isNew = !isOpen && isUnread(conversation);
  const facts = [
    isNew ? said.unread : undefined,
    model,
    archived ? said.archived : undefined,
    stateOf(conversation),
  ];
  return (
    <li>
      <a
        href={addressOf({ view: "conversations", id })}
        aria-current={isOpen ? "true" : undefined}
        data-unread={isNew}
      >
        <span class="title" dir="auto">
          {title ?? said.untitled}
        </span>
        <span class="quiet">{facts.filter(Boolean).join(" · ")}</span>
        <time class="quiet" dateTime={updatedAt} title={amounts.time(updatedAt)}>
          {amounts.ago(updatedAt, Date.now())}
        </time>
      </a>
    </li>
  );
}

function stateOf({ status, approvals, questions }: Conversation): string | undefined {
  const { needsAnswer, running, compacting, waiting } = words.conversations;
  if (approvals.length + questions.length > 0) return needsAnswer;
  return { idle: undefined, running, compacting, waiting }[status];
}
