import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { hostWords } from "../text/host-words.ts";
import { GrantQuestion, useGrant } from "./grant-question.tsx";

const said = hostWords.extensions;

export function AddExtension({ onAdded }: { readonly onAdded: () => void }): JSX.Element {
  const [path, setPath] = useState("");
  const [added, setAdded] = useState<string>();
  const [error, setError] = useState<unknown>();
  const grant = useGrant();
  const add = async (): Promise<void> => {
    setError(undefined);
    setAdded(undefined);
    try {
      const answer = await grant.trying((given) =>
        api.call(routes.addExtension, { body: { path: path.trim(), ...given } }),
      );
      if (answer === undefined) return;
      setAdded(answer.extension.id);
      setPath("");
      onAdded();
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <h3>{said.add}</h3>
      <div class="row">
        <label>
          {said.path}{" "}
          <input
            value={path}
            placeholder={said.pathHint}
            spellcheck={false}
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={path.trim() === ""}>
          {said.addIt}
        </button>
      </div>
      {error !== undefined && <Problem error={error} />}
      {added !== undefined && <p role="status">{said.added(added)}</p>}
      <GrantQuestion grant={grant} />
    </form>
  );
}
