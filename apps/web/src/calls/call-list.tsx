import { callCost, type ModelCall } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { Time, Room, ScrolledTable } from "../controls/layout.tsx";
import { Pending } from "../controls/problem.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { callsWords } from "../text/calls-words.ts";

const shownAtOnce = 50;

export function CallList(): JSX.Element {
  const said = callsWords;
  const [count, setCount] = useState(shownAtOnce);
  const loaded = useLoad((signal) => newestCalls(count, signal), [count]);
  const { known } = loaded;
  return (
    <Room class="calls" title={said.title} intro={said.intro}>
      <Pending of={loaded} />
      {known?.calls.length === 0 && <p>{said.none}</p>}
      {known !== undefined && known.calls.length > 0 && (
        <ScrolledTable label={said.table} columns={said.columns} numbersFrom={3}>
          {known.calls.map((call) => (
            <Row key={call.id} call={call} />
          ))}
        </ScrolledTable>
      )}
      {known?.hasMore === true && <Button text={said.more} onClick={() => setCount(count + shownAtOnce)} />}
    </Room>
  );
}

function Row({ call }: { readonly call: ModelCall }): JSX.Element {
  const { id, model, startedAt, status, usage } = call;
  const figures = [usage?.inputTokens, usage?.cacheReadTokens, usage?.outputTokens];
  return (
    <tr>
      <th scope="row">
        <a href={addressOf({ view: "calls", id })}>
          <Time at={startedAt} />
        </a>
      </th>
      <td dir="auto">{model}</td>
      <td>{callsWords.statuses[status]}</td>
      {figures.map((figure, index) => (
        <td key={index} class="number">
          {figure == null ? "–" : amounts.count(figure)}
        </td>
      ))}
      <td class="number">{costText(call) ?? "–"}</td>
    </tr>
  );
}

/** `undefined` if a price or a token count is missing. */
export function costText({ prices, usage }: Pick<ModelCall, "prices" | "usage">): string | undefined {
  const cost = callCost(prices, usage);
  return cost.kind === "unknown" ? undefined : `${cost.isAtMost ? "≤ " : ""}${amounts.dollars(cost.usd)}`;
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
    const page = await api.call(routes.listCalls, { query: { limit, cursor }, signal });
    calls.push(...page.calls);
    cursor = page.nextCursor;
  } while (cursor !== undefined && calls.length < count);
  return { calls, hasMore: cursor !== undefined };
}
