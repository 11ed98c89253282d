import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { hostWords } from "../text/host-words.ts";
import { words } from "../text/words.ts";
import { ExtensionsSection } from "./extensions-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { ProfilesSection } from "./profiles-section.tsx";
import { TokensSection } from "./tokens-section.tsx";

/** How the host is, and what it is made of. */
export function HostView(): JSX.Element {
  return (
    <main id="content" class="host" tabIndex={-1}>
      <h1>{hostWords.title}</h1>
      <HealthSection />
      <ModelsSection />
      <ProfilesSection />
      <TokensSection />
      <ExtensionsSection />
    </main>
  );
}

function HealthSection(): JSX.Element {
  const said = hostWords.health;
  const { loaded, reload } = useLoad((signal) => api.call(routes.getHealth, { signal }), []);
  return (
    <section aria-labelledby="health">
      <h2 id="health">{said.title}</h2>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && (
        <>
          <p>{loaded.value.status === "ok" ? said.ok : said.degraded}</p>
          {loaded.value.problems.length > 0 && (
            <ul>
              {loaded.value.problems.map((problem) => (
                <li key={problem} dir="auto">
                  {problem}
                </li>
              ))}
            </ul>
          )}
          <p class="quiet">
            {said.version(loaded.value.version)} · <a href="/docs">{said.api}</a>
          </p>
        </>
      )}
    </section>
  );
}
