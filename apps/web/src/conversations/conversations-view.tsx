import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { BeginsWith } from "../place/place.ts";
import { words } from "../text/words.ts";
import { ConversationList } from "./conversation-list.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { NewConversation } from "./new-conversation.tsx";

interface ConversationsProps {
  readonly id: string | undefined;
  readonly beginsWith?: BeginsWith | undefined;
}

export function ConversationsView({ id, beginsWith }: ConversationsProps): JSX.Element {
  const [changes, setChanges] = useState(0);
  const onChange = (): void => setChanges((count) => count + 1);
  return (
    <div class="conversations" data-open={id === undefined ? undefined : "true"}>
      <ConversationList openId={id} changes={changes} onChange={onChange} />
      <main id="content" class="conversation" tabIndex={-1} aria-label={words.nav.conversations}>
        {id === undefined ? (
          <NewConversation key={JSON.stringify(beginsWith)} beginsWith={beginsWith} />
        ) : (
          <ConversationView key={id} id={id} onChange={onChange} />
        )}
      </main>
    </div>
  );
}
