import { tokenScopeSchema, type AccessToken, type TokenScope } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { tokenWords } from "../text/token-words.ts";

const said = tokenWords.new;
const usualDays = "30";

export interface MadeToken {
  readonly token: AccessToken;
  /** Returned by the host only once. */
  readonly secret: string;
}

export function NewToken({ onMade }: { readonly onMade: (made: MadeToken) => void }): JSX.Element {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly TokenScope[]>(["read"]);
  const [days, setDays] = useState(usualDays);
  const [error, setError] = useState<unknown>();
  const make = async (): Promise<void> => {
    setError(undefined);
    const named = name.trim() === "" ? {} : { name: name.trim() };
    try {
      onMade(await api.call(routes.createToken, { body: { scopes: [...scopes], days: Number(days), ...named } }));
      setName("");
      setScopes(["read"]);
      setDays(usualDays);
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <form
      class="new-token"
      aria-labelledby="new-token"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <h3 id="new-token">{said.title}</h3>
      <div class="row">
        <label>
          <span>{said.name}</span>
          <input
            value={name}
            maxLength={100}
            placeholder={said.nameHint}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <label>
          <span>{said.days}</span>
          <input
            type="number"
            min={1}
            max={3650}
            required
            value={days}
            onInput={({ currentTarget }) => setDays(currentTarget.value)}
          />
        </label>
      </div>
      <fieldset>
        <legend>{said.may}</legend>
        {tokenScopeSchema.options.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ currentTarget }) =>
                setScopes(
                  tokenScopeSchema.options.filter((known) =>
                    known === scope ? currentTarget.checked : scopes.includes(known),
                  ),
                )
              }
            />
            <span>
              <b>{scope}</b> <span class="quiet">{tokenWords.may[scope]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {scopes.length === 0 && <p class="quiet">{said.noScope}</p>}
      {error !== undefined && <Problem error={error} />}
      <button type="submit" class="main" disabled={scopes.length === 0}>
        {said.make}
      </button>
    </form>
  );
}
