import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { compareWords } from "../text/compare-words.ts";
import { sideRows } from "./side-rows.ts";

const said = compareWords;
const mostRows = 2_000;

/** Signs repeat the meaning of the colours. */
export function SideTable({ left, right }: { readonly left: string; readonly right: string }): JSX.Element {
  const rows = useMemo(() => sideRows(left, right), [left, right]);
  if (left === right) return <p role="status">{said.same}</p>;
  const differing = rows.filter(({ isSame }) => !isSame);
  const removed = differing.filter((row) => row.left !== undefined).length;
  const added = differing.filter((row) => row.right !== undefined).length;
  return (
    <>
      <p role="status">{said.differs(removed, added)}</p>
      <div class="scrolled" tabIndex={0} role="region" aria-label={said.table}>
        <table class="side-table">
          <thead>
            <tr>
              <th scope="col">{said.sides.left}</th>
              <th scope="col">{said.sides.right}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map((row, index) => (
              <tr key={index}>
                <Line text={row.left} kind={row.isSame ? "same" : "removed"} sign="−" />
                <Line text={row.right} kind={row.isSame ? "same" : "added"} sign="+" />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > mostRows && <p class="quiet">{said.cut(rows.length - mostRows)}</p>}
    </>
  );
}

interface LineProps {
  readonly text: string | undefined;
  readonly kind: "same" | "removed" | "added";
  readonly sign: string;
}

function Line({ text, kind, sign }: LineProps): JSX.Element {
  if (text === undefined) return <td data-kind="nothing" />;
  return (
    <td data-kind={kind} dir="auto">
      {kind === "same" ? `  ${text}` : `${sign} ${text}`}
    </td>
  );
}
