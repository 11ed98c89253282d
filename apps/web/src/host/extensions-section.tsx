import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { hostWords } from "../text/host-words.ts";
import { setupWords } from "../text/setup-words.ts";
import { words } from "../text/words.ts";
import { AddExtension } from "./add-extension.tsx";
import { GraphPicture } from "./graph-picture.tsx";
import { ExtensionEntry } from "./extension-entry.tsx";

export function ExtensionsSection(): JSX.Element {
  const said = hostWords.extensions;
  const { loaded, reload } = useLoad((signal) => api.call(routes.listExtensions, { signal }), []);
  return (
    <section aria-labelledby="extensions">
      <h2 id="extensions">{said.title}</h2>
      <p class="quiet">{said.intro}</p>
      <p class="quiet">{setupWords.graph.intro}</p>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && <GraphPicture extensions={loaded.value.extensions} />}
      {loaded.state === "ready" && (
        <ul class="extensions">
          {loaded.value.extensions.map((extension) => (
            <li key={extension.id} id={`extension-${extension.id}`} tabIndex={-1}>
              <ExtensionEntry extension={extension} onChange={reload} />
            </li>
          ))}
        </ul>
      )}
      <AddExtension onAdded={reload} />
    </section>
  );
}
