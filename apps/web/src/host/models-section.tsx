import { routes, type Model } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { SearchField } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { Example, Section, ScrolledTable } from "../controls/layout.tsx";
import { Pending } from "../controls/problem.tsx";
import { useRoute } from "../session/use-load.ts";
import { hostWords } from "../text/host-words.ts";

/** Calls no API. */
const builtIn = "offline";

/** A catalogue may have hundreds of models. */
const shownAtOnce = 30;

export function ModelsSection(): JSX.Element {
  const said = hostWords.models;
  const [typed, setTyped] = useState("");
  const loaded = useRoute(routes.listModels);
  const letters = typed.trim().toLowerCase();
  const all = loaded.state === "ready" ? loaded.value.models : [];
  const found = all.filter(({ id }) => id.toLowerCase().includes(letters));
  const sorted = found.toSorted(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || Number(b.isReady) - Number(a.isReady),
  );
  const shown = sorted.slice(0, shownAtOnce);
  return (
    <Section id="models" title={said.title} intro={said.intro}>
      <Pending of={loaded} />
      <Missing models={all} />
      {all.length > shownAtOnce && <SearchField label={said.search} value={typed} onText={setTyped} />}
      {loaded.state === "ready" && found.length === 0 && <p class="quiet">{said.none}</p>}
      {shown.length > 0 && (
        <ScrolledTable class="wide" tableClass="models" label={said.table} columns={said.columns}>
          {shown.map((model) => (
            <ModelRow key={model.id} model={model} />
          ))}
        </ScrolledTable>
      )}
      {found.length > shown.length && <p class="quiet">{said.more(found.length - shown.length)}</p>}
      {shown.some(({ facts }) => facts?.prices !== null && facts !== null) && <p class="quiet">{said.priceNote}</p>}
      {loaded.state === "ready" && <AddModels hasNone={all.every(({ provider }) => provider === builtIn)} />}
    </Section>
  );
}

/** Each reason once, such as a missing key and its variable. */
function Missing({ models }: { readonly models: readonly Model[] }): JSX.Element | null {
  const said = hostWords.models;
  const waiting = models.filter(({ isReady, problem }) => !isReady && problem !== null);
  if (waiting.length === 0) return null;
  const groups = [...Map.groupBy(waiting, ({ provider, problem }) => `${provider}\n${problem ?? ""}`).values()];
  return (
    <>
      <h3>{said.missing}</h3>
      <ul>
        {groups.map(
          ([first, ...others]) =>
            first !== undefined && (
              <li key={first.id} dir="auto">
                {said.missingOf(first.provider, others.length + 1, first.problem ?? said.unknown)}
              </li>
            ),
        )}
      </ul>
    </>
  );
}

function ModelRow({ model: { id, isDefault, isReady, problem, facts } }: { readonly model: Model }): JSX.Element {
  const said = hostWords.models;
  const prices = facts?.prices ?? null;
  const state = isReady ? said.ready : problem === null ? said.unknown : said.notReady;
  return (
    <tr>
      <th scope="row">{id}</th>
      <td>{isDefault ? `${said.default}, ${state}` : state}</td>
      <td class="number">{shownNumber(facts?.contextWindow)}</td>
      <td class="number">{shownNumber(prices?.input)}</td>
      <td class="number">{shownNumber(prices?.output)}</td>
      <td class="number">{shownNumber(prices?.cacheRead)}</td>
      <td>{facts?.inputs.join(", ") ?? said.unknown}</td>
    </tr>
  );
}

function shownNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toLocaleString("en-US", { maximumFractionDigits: 4 });
}

/** Unfolded for a host without providers. */
function AddModels({ hasNone }: { readonly hasNone: boolean }): JSX.Element {
  const said = hostWords.models.add;
  const steps = (
    <>
      <p>{said.file}</p>
      <Example text={said.example} />
      <p>{said.key}</p>
      <p class="quiet">{said.others}</p>
    </>
  );
  if (!hasNone) return <Folded title={said.title}>{steps}</Folded>;
  return (
    <>
      <h3>{said.title}</h3>
      {steps}
    </>
  );
}
