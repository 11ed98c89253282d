import { tokenScopeSchema, type AccessToken, type TokenScope } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button, submitting, TextField, Checkbox } from "../controls/fields.tsx";
import { useTrying } from "../controls/problem.tsx";
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
  const { trying, problem } = useTrying();
  const make = async (): Promise<void> => {
    const named = name.trim() === "" ? {} : { name: name.trim() };
    onMade(await api.call(routes.createToken, { body: { scopes: [...scopes], days: Number(days), ...named } }));
    setName("");
    setScopes(["read"]);
    setDays(usualDays);
  };
  return (
    <form class="new-token" aria-labelledby="new-token" onSubmit={submitting(() => trying(make))}>
      <h3 id="new-token">{said.title}</h3>
      <div class="row">
        <TextField label={said.name} value={name} maxLength={100} placeholder={said.nameHint} onText={setName} />
        <TextField label={said.days} type="number" min={1} max={3650} required value={days} onText={setDays} />
      </div>
      <fieldset>
        <legend>{said.may}</legend>
        {tokenScopeSchema.options.map((scope) => (
          <Checkbox
            key={scope}
            label={
              <span>
                <b>{scope}</b> <span class="quiet">{tokenWords.may[scope]}</span>
              </span>
            }
            isChecked={scopes.includes(scope)}
            onCheck={(isChecked) =>
              setScopes(
                tokenScopeSchema.options.filter((known) => (known === scope ? isChecked : scopes.includes(known))),
              )
            }
          />
        ))}
      </fieldset>
      {scopes.length === 0 && <p class="quiet">{said.noScope}</p>}
      {problem}
      <Button text={said.make} type="submit" class="main" disabled={scopes.length === 0} />
    </form>
  );
}
