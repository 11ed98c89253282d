import { callCost, type ModelCall } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useKept } from "../session/use-kept.ts";
import { useLoad } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { callsWords } from "../text/calls-words.ts";
import { words } from "../text/words.ts";

const shownAtOnce = 50;

export function CallList(): JSX.Element {
  const said = callsWords;
  const [count, setCount] = useState(shownAtOnce);
  const { loaded, reload } = useLoad((signal) => newestCalls(count, signal), [count]);
  const known = useKept(loaded);
  return (
    <main id="content" class="calls" tabIndex={-1} aria-label={said.title}>
      <h1>{said.title}</h1>
      <p class="quiet">{said.intro}</p>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {known?.calls.length === 0 && <p>{said.none}</p>}
      {known !== undefined && known.calls.length > 0 && (
        <div class="scrolled" tabIndex={0} role="region" aria-label={said.table}>
          <table>
            <thead>
              <tr>
                {said.columns.map((column, index) => (
                  <th key={column} scope="col" class={index > 2 ? "number" : undefined}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {known.calls.map((call) => (
                <Row key={call.id} call={call} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {known?.hasMore === true && (
        <button type="button" onClick={() => setCount(count + shownAtOnce)}>
          {said.more}
        </button>
      )}
    </main>
  );
}

function Row({ call }: { readonly call: ModelCall }): JSX.Element {
  const { id, model, startedAt, status, usage, prices } = call;
  const figures = [usage?.inputTokens, usage?.cacheReadTokens, usage?.outputTokens];
  const cost = callCost(prices, usage);
  return (
    <tr>
      <th scope="row">
        <a href={addressOf({ view: "calls", id })}>
          <time dateTime={startedAt}>{amounts.time(startedAt)}</time>
        </a>
      </th>
      <td dir="auto">{model}</td>
      <td>{callsWords.statuses[status]}</td>
      {figures.map((figure, index) => (
        <td key={index} class="number">
          {figure == null ? "–" : amounts.count(figure)}
        </td>
      ))}
      <td class="number">
        {cost.kind === "unknown" ? "–" : `${cost.isAtMost ? "≤ " : ""}${amounts.dollars(cost.usd)}`}
      </td>
    </tr>
  );
}

/** Largest page of the API. */
const pageSize = 1_000;

async function newestCalls(
  count: number,
  signal: AbortSignal,
): Promise<{ readonly calls: readonly ModelCall[]; readonly hasMore: boolean }> {
  const calls: ModelCall[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(pageSize, count - calls.length);
    const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.call(routes.listCalls, { query, signal });
    calls.push(...page.calls);
    cursor = page.nextCursor;
  } while (cursor !== undefined && calls.length < count);
  return { calls, hasMore: cursor !== undefined };
}
