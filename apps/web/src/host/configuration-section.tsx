import type { JSX } from "preact";
import type { ConfiguredKeyInfo } from "@incipit/transport-contract";
import { useState } from "preact/hooks";
import { SearchField, Checkbox } from "../controls/fields.tsx";
import { Section, ScrolledTable } from "../controls/layout.tsx";
import { Pending } from "../controls/problem.tsx";
import type { Loaded } from "../session/use-load.ts";
import { setupWords } from "../text/setup-words.ts";

const said = setupWords.configuration;

const longestValue = 400;

interface ConfigurationProps {
  readonly loaded: Loaded<{ readonly keys: readonly ConfiguredKeyInfo[] }>;
}

export function ConfigurationSection({ loaded }: ConfigurationProps): JSX.Element {
  const [typed, setTyped] = useState("");
  const [isAll, setIsAll] = useState(false);
  const letters = typed.trim().toLowerCase();
  const keys = loaded.state === "ready" ? loaded.value.keys : [];
  const wanted = keys.filter(({ origin }) => isAll || (origin.kind !== "default" && origin.kind !== "not-set"));
  const found = wanted.filter(
    (key) => nameOf(key).toLowerCase().includes(letters) || placeOf(key).toLowerCase().includes(letters),
  );
  return (
    <Section id="configuration" title={said.title} intro={said.intro}>
      <Pending of={loaded} />
      <div class="row">
        <SearchField label={said.search} value={typed} onText={setTyped} />
        <Checkbox label={said.all} isChecked={isAll} onCheck={setIsAll} />
      </div>
      {loaded.state === "ready" && found.length === 0 && (
        <p class="quiet">{wanted.length === 0 ? said.onlyDefaults : said.none}</p>
      )}
      {found.length > 0 && (
        <ScrolledTable class="wide" tableClass="keys" label={said.table} columns={said.columns}>
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
        </ScrolledTable>
      )}
    </Section>
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
