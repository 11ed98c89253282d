import { routes, type WrittenProfileResponse } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { TextList } from "../controls/layout.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Pending } from "../controls/problem.tsx";
import { useRoute } from "../session/use-load.ts";
import { agentPlace, agentWords } from "../text/agent-words.ts";

export function AgentPreview({ written }: { readonly written: WrittenProfileResponse }): JSX.Element {
  const { name, problem, warnings, shadowed } = written.profile;
  const loaded = useRoute(routes.previewSystemPrompt, { body: { profile: name } }, [written.etag]);
  const said = [
    ...(problem === null ? [] : [problem]),
    ...warnings,
    ...shadowed.map((other) => agentWords.list.shadowed(agentPlace(other), other.reason)),
  ];
  return (
    <section aria-labelledby="agent-told">
      {said.length > 0 && (
        <>
          <h2>{agentWords.warnings}</h2>
          <TextList texts={said} />
        </>
      )}
      <h2 id="agent-told">{agentWords.told}</h2>
      {loaded.state === "failed" && <Pending of={loaded} />}
      {loaded.state === "ready" &&
        (loaded.value.systemPrompt === "" ? (
          <p class="quiet">{agentWords.toldNothing}</p>
        ) : (
          <LongText text={loaded.value.systemPrompt} label={agentWords.told} />
        ))}
    </section>
  );
}
