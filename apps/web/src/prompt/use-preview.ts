import type { PreviewSystemPromptResponse } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { useEffect, useState } from "preact/hooks";
import { api } from "../session/api.ts";
import type { Target } from "./preview-target.tsx";
import { useNewest, type Newest } from "./use-newest.ts";

/** A path is asked for once somebody has stopped to type it. */
const cwdDelayMs = 300;

/** What a template becomes for somebody. */
export function usePreview(template: string, target: Target): Newest<PreviewSystemPromptResponse> {
  const { conversation, model, profile } = target;
  const [cwd, setCwd] = useState(target.cwd);
  useEffect(() => {
    const timer = setTimeout(() => setCwd(target.cwd.trim()), cwdDelayMs);
    return () => clearTimeout(timer);
  }, [target.cwd]);
  const made =
    conversation === undefined
      ? { cwd, model, profile }
      : {
          cwd: conversation.cwd,
          model: conversation.model,
          profile: conversation.profile ?? "",
          conversationId: conversation.id,
        };
  // What is empty is left out: the host knows what it takes then.
  const said = Object.fromEntries(Object.entries(made).filter(([, value]) => value !== ""));
  return useNewest({
    ask: (signal) => api.call(routes.previewSystemPrompt, { body: { template, ...said }, signal }),
    keys: [template, cwd, conversation?.id, model, profile],
    delayMs: 0,
  });
}
