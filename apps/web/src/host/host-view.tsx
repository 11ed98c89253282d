import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Button } from "../controls/fields.tsx";
import { TextList, Section } from "../controls/layout.tsx";
import { Pending } from "../controls/problem.tsx";
import { useRoute } from "../session/use-load.ts";
import { hostWords } from "../text/host-words.ts";
import { setupWords } from "../text/setup-words.ts";
import { tokenWords } from "../text/token-words.ts";
import { ConfigurationSection } from "./configuration-section.tsx";
import { ExtensionsSection } from "./extensions-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { ProfilesSection } from "./profiles-section.tsx";
import { TokensSection } from "./tokens-section.tsx";
import { ToolServersSection } from "./tool-servers-section.tsx";
import { TrustedFoldersSection } from "./trusted-folders-section.tsx";

export function HostView(): JSX.Element {
  const loaded = useRoute(routes.getConfiguration);
  return (
    <main id="content" class="host" tabIndex={-1}>
      <h1>{hostWords.title}</h1>
      <Sections />
      <HealthSection />
      <ModelsSection />
      <ProfilesSection configuration={loaded} />
      <ToolServersSection />
      <TrustedFoldersSection />
      <ConfigurationSection loaded={loaded} />
      <TokensSection />
      <ExtensionsSection />
    </main>
  );
}

const sections = [
  ["health", hostWords.health.title],
  ["models", hostWords.models.title],
  ["profiles", hostWords.profiles.title],
  ["tool-servers", setupWords.servers.title],
  ["trusted-folders", setupWords.folders.title],
  ["configuration", setupWords.configuration.title],
  ["tokens", tokenWords.title],
  ["extensions", hostWords.extensions.title],
] as const;

/** The URL fragment is taken by the view. */
function Sections(): JSX.Element {
  return (
    <nav aria-label={setupWords.sections}>
      <ul class="sections">
        {sections.map(([id, title]) => (
          <li key={id}>
            <Button
              text={title}
              class="plain"
              onClick={() => {
                const heading = document.querySelector<HTMLElement>(`#${id}`);
                heading?.scrollIntoView({ block: "start" });
                heading?.setAttribute("tabindex", "-1");
                heading?.focus({ preventScroll: true });
              }}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function HealthSection(): JSX.Element {
  const said = hostWords.health;
  const loaded = useRoute(routes.getHealth);
  return (
    <Section id="health" title={said.title}>
      <Pending of={loaded} />
      {loaded.state === "ready" && (
        <>
          <p>{loaded.value.status === "ok" ? said.ok : said.degraded}</p>
          {loaded.value.problems.length > 0 && <TextList texts={loaded.value.problems} />}
          <p class="quiet">
            {said.version(loaded.value.version)} · <a href="/docs">{said.api}</a>
          </p>
        </>
      )}
    </Section>
  );
}
