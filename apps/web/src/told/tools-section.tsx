import type { StepRecord } from "@incipit/schema";
import type { JSX } from "preact";
import { Folded } from "../controls/folded.tsx";
import { LongText } from "../controls/long-text.tsx";
import { amounts } from "../text/amounts.ts";
import { byteSize } from "../text/byte-size.ts";
import { toldWords } from "../text/told-words.ts";
import { elementIds } from "./element-ids.ts";

export function ToolsSection({
  tools,
  deferred,
}: {
  readonly tools: StepRecord["tools"];
  readonly deferred: StepRecord["deferredTools"];
}): JSX.Element {
  const said = toldWords.tools;
  if (tools === null) return <p class="quiet">{said.gone}</p>;
  if (tools.length === 0) return <p class="quiet">{said.none}</p>;
  return (
    <>
      {tools.map((tool, index) => (
        <Folded
          key={index}
          id={elementIds.tool(index)}
          title={`${tool.name} · ${amounts.bytes(byteSize(JSON.stringify(tool)))}`}
        >
          <p class="said" dir="auto">
            {tool.description}
          </p>
          <h3>{said.schema}</h3>
          <LongText text={JSON.stringify(tool.inputSchema, null, 2)} label={said.schema} />
        </Folded>
      ))}
      {deferred.map((server) => (
        <p class="quiet" key={server.server}>
          {said.lookedUp(server)}
        </p>
      ))}
    </>
  );
}
