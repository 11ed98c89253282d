import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button, submitting, TextField } from "../controls/fields.tsx";
import { Section } from "../controls/layout.tsx";
import { Pending, useTrying } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useRoute } from "../session/use-load.ts";
import { hostWords } from "../text/host-words.ts";
import { setupWords } from "../text/setup-words.ts";
import { ExtensionEntry } from "./extension-entry.tsx";
import { GrantQuestion, useGrant } from "./grant-question.tsx";
import { GraphPicture } from "./graph-picture.tsx";

export function ExtensionsSection(): JSX.Element {
  const said = hostWords.extensions;
  const loaded = useRoute(routes.listExtensions);
  return (
    <Section id="extensions" title={said.title} intro={said.intro}>
      <p class="quiet">{setupWords.graph.intro}</p>
      <Pending of={loaded} />
      {loaded.state === "ready" && <GraphPicture extensions={loaded.value.extensions} />}
      {loaded.state === "ready" && (
        <ul class="extensions">
          {loaded.value.extensions.map((extension) => (
            <li key={extension.id} id={`extension-${extension.id}`} tabIndex={-1}>
              <ExtensionEntry extension={extension} onChange={loaded.reload} />
            </li>
          ))}
        </ul>
      )}
      <AddExtension onAdded={loaded.reload} />
    </Section>
  );
}

const said = hostWords.extensions;

function AddExtension({ onAdded }: { readonly onAdded: () => void }): JSX.Element {
  const [path, setPath] = useState("");
  const { trying, problem, done } = useTrying();
  const grant = useGrant();
  const add = async (): Promise<string> => {
    const answer = await grant.trying((given) =>
      api.call(routes.addExtension, { body: { path: path.trim(), ...given } }),
    );
    if (answer === undefined) return "";
    setPath("");
    onAdded();
    return said.added(answer.extension.id);
  };
  return (
    <form class="add" onSubmit={submitting(() => trying(add))}>
      <h3>{said.add}</h3>
      <div class="row">
        <TextField label={said.path} value={path} placeholder={said.pathHint} spellcheck={false} onText={setPath} />
        <Button text={said.addIt} type="submit" disabled={path.trim() === ""} />
      </div>
      {problem}
      {done !== "" && <p role="status">{done}</p>}
      <GrantQuestion grant={grant} />
    </form>
  );
}
