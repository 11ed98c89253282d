import type { PreviewSystemPromptResponse } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { useEffect, useState } from "preact/hooks";
import { api } from "../session/api.ts";
import type { Target } from "./preview-target.tsx";
import { useNewest, type Newest } from "./use-newest.ts";

const cwdDelayMs = 300;

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
  // Empty values are omitted, so that the host's defaults apply.
  const said = Object.fromEntries(Object.entries(made).filter(([, value]) => value !== ""));
  return useNewest({
    ask: (signal) => api.call(routes.previewSystemPrompt, { body: { template, ...said }, signal }),
    keys: [template, cwd, conversation?.id, model, profile],
    delayMs: 0,
  });
}
