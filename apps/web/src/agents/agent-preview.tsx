import { routes, type WrittenProfileResponse } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { LongText } from "../controls/long-text.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { agentPlace, agentWords } from "../text/agent-words.ts";

export function AgentPreview({
  written: { profile, etag },
}: {
  readonly written: WrittenProfileResponse;
}): JSX.Element {
  const { name, problem, warnings, shadowed } = profile;
  const { loaded, reload } = useLoad(
    (signal) => api.call(routes.previewSystemPrompt, { body: { profile: name }, signal }),
    [name, etag],
  );
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
          <ul>
            {said.map((text) => (
              <li key={text} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
      <h2 id="agent-told">{agentWords.told}</h2>
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" &&
        (loaded.value.systemPrompt === "" ? (
          <p class="quiet">{agentWords.toldNothing}</p>
        ) : (
          <LongText text={loaded.value.systemPrompt} label={agentWords.told} />
        ))}
    </section>
  );
}
