import type { SessionState } from "@incipit/client/session";
import type { Conversation } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button, Paragraph, submitting } from "../controls/fields.tsx";
import { useTrying } from "../controls/problem.tsx";
import { DriftBadge } from "../drift/drift-badge.tsx";
import { addressOf, goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
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
  const { trying, problem } = useTrying();
  const update = (body: { readonly title?: string | null; readonly archived?: boolean }): Promise<boolean> =>
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
        <form class="row" onSubmit={submitting(() => update({ title: draft.trim() === "" ? null : draft }))}>
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
          <Button text={said.save} type="submit" />
          <Button text={said.cancel} class="plain" onClick={() => setDraft(undefined)} />
        </form>
      )}
      <Paragraph class="quiet">{`${model} · ${cwd}`}</Paragraph>
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
        <Button text={said.rename} class="plain" onClick={() => setDraft(title ?? "")} />
        <Button
          text={archived ? said.unarchive : said.archive}
          class="plain"
          onClick={() => void update({ archived: !archived })}
        />
        <Button text={said.delete} class="plain" onClick={remove} />
      </div>
      <Tasks id={id} messages={state.messages} live={state.live} />
      {archived && (
        <p class="quiet" role="status">
          {said.archivedNotice}
        </p>
      )}
      {problem}
    </header>
  );
}
