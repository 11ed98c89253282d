import { ConversationSession, type SessionState } from "@incipit/client/session";
import { useEffect, useState } from "preact/hooks";
import { api } from "../session/api.ts";

export interface OpenConversation {
  readonly session: ConversationSession | undefined;
  readonly state: SessionState | undefined;
  readonly error: unknown;
}

/** Renders at most once per frame. */
export function useConversation(id: string): OpenConversation {
  const [open, setOpen] = useState<OpenConversation>({ session: undefined, state: undefined, error: undefined });
  useEffect(() => {
    const session = new ConversationSession({ client: api, id });
    let frame: number | undefined;
    session.subscribe(() => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        setOpen({ session, state: session.state, error: undefined });
      });
    });
    setOpen({ session, state: undefined, error: undefined });
    session.follow().catch((error: unknown) => {
      setOpen({ session, state: undefined, error });
    });
    return () => {
      session.close();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [id]);
  return open;
}
