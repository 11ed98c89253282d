import type { Explain } from "@incipit/schema";
import type { JSX } from "preact";
import { amounts } from "../text/amounts.ts";
import { LeftOutFiles } from "./left-out-files.tsx";
import { promptWords } from "../text/prompt-words.ts";

const shownAtOnce = 200;

export function VariableList({ variables }: Pick<Explain, "variables">): JSX.Element {
  const said = promptWords.variables;
  if (variables.length === 0) return <p class="quiet">{said.none}</p>;
  return (
    <ul class="variables">
      {variables
        .slice(0, shownAtOnce)
        .map(({ type, name, kind, reason, sizeBytes, detail, source, trust, files, leftOut }) => (
          <li key={`${type}:${name}`} data-kind={kind}>
            <code>{`[${type}:${name}]`}</code>{" "}
            <span>
              {kind === "value" || reason === null
                ? said.bytes(amounts.count(sizeBytes))
                : said.blank(said.reasons[reason])}
            </span>{" "}
            <span class="quiet" dir="auto">
              {[
                leftOut === undefined ? detail : files?.map(({ path }) => path).join(", "),
                source,
                trust === null ? null : promptWords.preview.trust[trust],
              ]
                .filter((part) => part !== null && part !== undefined && part !== "")
                .join(" · ")}
            </span>
            <LeftOutFiles leftOut={leftOut} />
          </li>
        ))}
    </ul>
  );
}
