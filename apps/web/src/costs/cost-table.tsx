import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { ScrolledTable } from "../controls/layout.tsx";
import { amounts } from "../text/amounts.ts";
import { costsWords } from "../text/costs-words.ts";
import type { CostSum } from "./cost-sum.ts";

interface CostRow extends CostSum {
  readonly key: string;
  readonly head: ComponentChildren;
  readonly isChosen?: boolean;
}

interface TableProps {
  readonly label: string;
  readonly name: string;
  readonly rows: readonly CostRow[];
  /** Initial number of rows; 30 if absent. */
  readonly shownAtOnce?: number;
}

export function CostTable({ label, name, rows, shownAtOnce = 30 }: TableProps): JSX.Element {
  const said = costsWords.columns;
  const [count, setCount] = useState(shownAtOnce);
  const columns = [said.usd, said.wasted, said.calls, said.input, said.read, said.output];
  return (
    <>
      <ScrolledTable label={label} columns={[name, ...columns]} numbersFrom={1}>
        {rows.slice(0, count).map((row) => (
          <tr key={row.key} data-chosen={row.isChosen}>
            <th scope="row" dir="auto">
              {row.head}
            </th>
            {figuresOf(row).map((figure, index) => (
              <td key={index} class="number">
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </ScrolledTable>
      {rows.length > count && <Button text={costsWords.more} onClick={() => setCount(count + shownAtOnce)} />}
    </>
  );
}

function figuresOf(row: CostRow): readonly string[] {
  const { calls, tokens, usd, broken } = row;
  const wasted = usd.wasted > 0 ? amounts.dollars(usd.wasted) : "–";
  return [
    costText(row),
    broken === 0 ? "–" : `${wasted} (${costsWords.brokenCalls(broken)})`,
    amounts.count(calls),
    amounts.count(tokens.input),
    amounts.count(tokens.cacheRead),
    amounts.count(tokens.output),
  ];
}

/** Calls without a price do not count as free. */
export function costText({ usd, calls, unpriced }: CostSum): string {
  if (calls > 0 && unpriced === calls) return "–";
  if (unpriced > 0) return usd.isAtMost === true ? costsWords.about(usd.total) : costsWords.partly(usd.total);
  return usd.isAtMost === true ? costsWords.atMost(usd.total) : amounts.dollars(usd.total);
}
