import type { JSX } from "preact";
import type { ConfiguredKeyInfo } from "@incipit/transport-contract";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import type { Loaded } from "../session/use-load.ts";
import { setupWords } from "../text/setup-words.ts";
import { words } from "../text/words.ts";

const said = setupWords.configuration;

const longestValue = 400;

interface ConfigurationProps {
  readonly loaded: Loaded<{ readonly keys: readonly ConfiguredKeyInfo[] }>;
  readonly onRetry: () => void;
}

export function ConfigurationSection({ loaded, onRetry }: ConfigurationProps): JSX.Element {
  const [typed, setTyped] = useState("");
  const [isAll, setIsAll] = useState(false);
  const letters = typed.trim().toLowerCase();
  const keys = loaded.state === "ready" ? loaded.value.keys : [];
  const wanted = keys.filter(({ origin }) => isAll || (origin.kind !== "default" && origin.kind !== "not-set"));
  const found = wanted.filter(
    (key) => nameOf(key).toLowerCase().includes(letters) || placeOf(key).toLowerCase().includes(letters),
  );
  return (
    <section aria-labelledby="configuration">
      <h2 id="configuration">{said.title}</h2>
      <p class="quiet">{said.intro}</p>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={onRetry} />}
      <div class="row">
        <input
          type="search"
          value={typed}
          aria-label={said.search}
          placeholder={said.search}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <label>
          <input
            type="checkbox"
            checked={isAll}
            onChange={({ currentTarget }) => setIsAll(currentTarget.checked)}
          />{" "}
          {said.all}
        </label>
      </div>
      {loaded.state === "ready" && found.length === 0 && (
        <p class="quiet">{wanted.length === 0 ? said.onlyDefaults : said.none}</p>
      )}
      {found.length > 0 && (
        <div class="wide" tabIndex={0} role="region" aria-label={said.table}>
          <table class="keys">
            <thead>
              <tr>
                {said.columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.map((key) => (
                <tr key={nameOf(key)} data-origin-kind={key.origin.kind}>
                  <th scope="row">
                    <code>{nameOf(key)}</code>
                  </th>
                  <td>
                    <code dir="auto">{valueOf(key)}</code>
                    {key.isRedacted && <span class="quiet">{` (${said.redacted})`}</span>}
                  </td>
                  <td dir="auto">{placeOf(key)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** As in the file: names with a dot are quoted. */
function nameOf({ path }: ConfiguredKeyInfo): string {
  return path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

function valueOf({ value, origin }: ConfiguredKeyInfo): string {
  if (origin.kind === "not-set") return "–";
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

export function placeOf({ origin }: Pick<ConfiguredKeyInfo, "origin">): string {
  switch (origin.kind) {
    case "file":
      return said.file(origin.file, origin.line);
    case "variable":
      return said.variable(origin.name);
    case "flag":
      return said.flag(origin.name);
    case "default":
      return said.default;
    case "not-set":
      return said.notSet;
  }
}
