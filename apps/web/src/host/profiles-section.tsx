import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { hostWords } from "../text/host-words.ts";
import { words } from "../text/words.ts";

export function ProfilesSection(): JSX.Element {
  const said = hostWords.profiles;
  const { loaded, reload } = useLoad((signal) => api.call(routes.listProfiles, { signal }), []);
  return (
    <section aria-labelledby="profiles">
      <h2 id="profiles">{said.title}</h2>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && loaded.value.profiles.length === 0 && <p class="quiet">{said.none}</p>}
      {loaded.state === "ready" && loaded.value.profiles.length > 0 && (
        <dl>
          {loaded.value.profiles.map(({ name, model, hasSystemPrompt, problem }) => (
            <div key={name}>
              <dt dir="auto">{name}</dt>
              <dd>
                {[
                  `${said.model} ${model ?? hostWords.models.default}`,
                  hasSystemPrompt ? said.hasPrompt : said.hostPrompt,
                  ...(problem === null ? [] : [problem]),
                ].join(" · ")}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
