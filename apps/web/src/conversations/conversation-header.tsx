import type { SessionState } from "@incipit/client/session";
import type { Conversation } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { DriftBadge } from "../drift/drift-badge.tsx";
import { api } from "../session/api.ts";
import { addressOf, goTo } from "../place/place.ts";
import { words } from "../text/words.ts";
import { deleteLater } from "./deletions.ts";
import { Tasks } from "./task-list.tsx";

interface HeaderProps {
  readonly conversation: Conversation;
  readonly onChange: (conversation: Conversation) => void;
  readonly state: Pick<SessionState, "messages" | "live">;
}

export function ConversationHeader({ conversation, onChange, state }: HeaderProps): JSX.Element {
  const said = words.conversations;
  const { id, title, model, cwd, archived } = conversation;
  const [draft, setDraft] = useState<string>();
  const [error, setError] = useState<unknown>();
  const trying = async (work: () => Promise<void>): Promise<void> => {
    setError(undefined);
    await work().catch(setError);
  };
  const update = (body: { readonly title?: string | null; readonly archived?: boolean }): Promise<void> =>
    trying(async () => {
      const changed = await api.call(routes.updateConversation, { params: { id }, body });
      setDraft(undefined);
      onChange(changed.conversation);
    });
  const remove = (): void =>
    void trying(async () => {
      await deleteLater({ id, title: title ?? said.untitled });
      goTo({ view: "conversations", id: undefined });
    });
  return (
    <header class="head">
      {draft === undefined ? (
        <h1 dir="auto">{title ?? said.untitled}</h1>
      ) : (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void update({ title: draft.trim() === "" ? null : draft });
          }}
        >
          <input
            value={draft}
            dir="auto"
            maxLength={1_000}
            aria-label={said.renameLabel}
            ref={(field) => field?.focus()}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onInput={({ currentTarget }) => setDraft(currentTarget.value)}
            onKeyDown={({ key }) => {
              if (key === "Escape") setDraft(undefined);
            }}
          />
          <button type="submit">{said.save}</button>
          <button type="button" class="plain" onClick={() => setDraft(undefined)}>
            {said.cancel}
          </button>
        </form>
      )}
      <p class="quiet" dir="auto">
        {`${model} · ${cwd}`}
      </p>
      {conversation.parent !== null && (
        <p class="quiet">
          <a href={addressOf({ view: "conversations", id: conversation.parent.conversationId })}>
            {words.tasks.parent}
          </a>
        </p>
      )}
      <DriftBadge conversation={conversation} />
      <div class="row" role="group" aria-label={said.actions}>
        <a class="button" href={addressOf({ view: "told", id, stepId: undefined })}>
          {said.told}
        </a>
        <button type="button" class="plain" onClick={() => setDraft(title ?? "")}>
          {said.rename}
        </button>
        <button type="button" class="plain" onClick={() => void update({ archived: !archived })}>
          {archived ? said.unarchive : said.archive}
        </button>
        <button type="button" class="plain" onClick={remove}>
          {said.delete}
        </button>
      </div>
      <Tasks id={id} messages={state.messages} live={state.live} />
      {archived && (
        <p class="quiet" role="status">
          {said.archivedNotice}
        </p>
      )}
      {error !== undefined && <Problem error={error} />}
    </header>
  );
}
