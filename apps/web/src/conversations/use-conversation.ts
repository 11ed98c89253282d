import { useEffect, useState } from "preact/hooks";
import { api } from "../session/api.ts";
import { ConversationFeed, type ConversationState } from "./conversation-feed.ts";

export interface OpenConversation {
  readonly feed: ConversationFeed | undefined;
  readonly state: ConversationState | undefined;
  readonly error: unknown;
}

export function useConversation(id: string): OpenConversation {
  const [open, setOpen] = useState<OpenConversation>({ feed: undefined, state: undefined, error: undefined });
  useEffect(() => {
    const feed: ConversationFeed = new ConversationFeed({
      client: api,
      id,
      onChange: (state) => setOpen({ feed, state, error: undefined }),
    });
    setOpen({ feed, state: undefined, error: undefined });
    feed.run().catch((error: unknown) => {
      setOpen({ feed, state: undefined, error });
    });
    return () => feed.close();
  }, [id]);
  return open;
}
