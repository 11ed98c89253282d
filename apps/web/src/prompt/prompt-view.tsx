import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { promptWords } from "../text/prompt-words.ts";
import { words } from "../text/words.ts";
import { claimDraft, readDraft } from "./drafts.ts";
import { PromptWorkbench } from "./prompt-workbench.tsx";

export function PromptView(): JSX.Element {
  const [draftId, setDraftId] = useState<string>();
  useEffect(() => {
    const left = new AbortController();
    void claimDraft(left.signal).then((id) => {
      if (!left.signal.aborted) setDraftId(id);
    });
    return () => left.abort();
  }, []);
  const loaded = useLoad(async (signal) => {
    const [inForce, { variables }, { models }] = await Promise.all([
      api.call(routes.getSystemPrompt, { signal }),
      api.call(routes.getSystemPromptVariables, { signal }),
      api.call(routes.listModels, { signal }),
    ]);
    return { inForce, variables, models };
  }, []);
  return (
    <main id="content" class="prompt" tabIndex={-1} aria-label={promptWords.title}>
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={loaded.reload} />}
      {loaded.state !== "failed" && (loaded.state === "loading" || draftId === undefined) && (
        <p class="quiet">{words.state.loading}</p>
      )}
      {loaded.state === "ready" && draftId !== undefined && (
        <PromptWorkbench {...loaded.value} draftId={draftId} draft={readDraft(draftId)} />
      )}
    </main>
  );
}
