import { routes, type WrittenProfileResponse } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Pending } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { agentWords } from "../text/agent-words.ts";
import { AgentWorkbench } from "./agent-workbench.tsx";

export function AgentView({ name }: { readonly name: string | undefined }): JSX.Element {
  const loaded = useLoad(
    async (signal): Promise<WrittenProfileResponse | undefined> =>
      name === undefined ? undefined : api.call(routes.getProfile, { params: { name }, signal }),
    [name],
  );
  const title = name === undefined ? agentWords.newTitle : agentWords.title(name);
  return (
    <main id="content" class="prompt agent" tabIndex={-1} aria-label={title}>
      <header class="prompt-head">
        <h1 dir="auto">{title}</h1>
        <p class="quiet">
          <a href="#/host">{agentWords.back}</a> · {agentWords.intro}
        </p>
      </header>
      <Pending of={loaded} />
      {loaded.state === "ready" && <AgentWorkbench found={loaded.value} />}
    </main>
  );
}
