import type { ModelCall, RequestPart } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Folded } from "../controls/folded.tsx";
import { Facts } from "../controls/layout.tsx";
import { Pending } from "../controls/problem.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { callsWords } from "../text/calls-words.ts";
import { toldWords } from "../text/told-words.ts";
import { readShare, SharesBar } from "../told/cache-bar.tsx";
import type { ContextPart } from "../told/context-parts.ts";
import { ContextPicture } from "../told/context-picture.tsx";
import { elementIds } from "../told/element-ids.ts";
import { RawBody } from "../told/raw-body.tsx";
import { revealElement } from "../told/element-ids.ts";
import { figuresOf } from "../told/step-list.tsx";
import { Part } from "../told/step-view.tsx";
import { SystemSection } from "../told/system-section.tsx";
import { costText, CallList } from "./call-list.tsx";

const said = callsWords;

function CallView({ id }: { readonly id: string }): JSX.Element {
  const loaded = useRoute(routes.getCall, { params: { id } });
  return (
    <main id="content" class="told calls" tabIndex={-1} aria-label={said.call}>
      <header class="head">
        <h1>{said.call}</h1>
        <a href={addressOf({ view: "calls", id: undefined })}>{said.all}</a>
      </header>
      <Pending of={loaded} />
      {loaded.state === "ready" && <Content call={loaded.value.call} />}
    </main>
  );
}

function Content({ call }: { readonly call: ModelCall }): JSX.Element {
  const { id, requestSha256 } = call;
  return (
    <div class="step">
      <Part title={toldWords.step.facts} heading="h2">
        <CallFacts call={call} />
      </Part>
      {requestSha256 === null ? (
        <p>{said.nothingSent}</p>
      ) : (
        <>
          <Part title={toldWords.context.title} heading="h2">
            <Context call={call} />
          </Part>
          <Part title={toldWords.system.title} heading="h2">
            <System id={id} />
          </Part>
          <Folded title={toldWords.body.title}>
            <RawBody id={id} load={(signal) => api.call(routes.getCallRequest, { params: { id }, signal })} />
          </Folded>
        </>
      )}
    </div>
  );
}

function CallFacts({ call }: { readonly call: ModelCall }): JSX.Element {
  const { step } = toldWords;
  const { startedAt, endedAt, model, profile, cwd, status, attempts, usage, error, finishReason } = call;
  const read = readShare(usage);
  const cache =
    usage?.cacheReadTokens == null ? (
      said.cacheNotReported
    ) : (
      <>
        <SharesBar read={read} same={read} width={1} />
        {read === 0 ? said.noneCached : said.cached(read)}
      </>
    );
  return (
    <Facts
      facts={[
        [step.when, amounts.time(startedAt)],
        [step.model, model],
        [said.profile, profile],
        [said.folder, cwd],
        [said.state, said.statuses[status]],
        [step.took, endedAt && step.seconds((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000)],
        [step.tries, attempts > 1 ? amounts.count(attempts) : null],
        [step.tokens, figuresOf({ usage, inputUsd: null }).join(" · ")],
        [said.cost, costText(call) ?? said.noCost],
        [step.ended, error?.message ?? finishReason],
        [said.cache, cache],
      ]}
    />
  );
}

function Context({ call }: { readonly call: ModelCall }): JSX.Element {
  const loaded = useRoute(routes.getCallParts, { params: { id: call.id } });
  const parts = useMemo(() => contextPartsOf(loaded.known?.parts ?? []), [loaded.known]);
  if (loaded.state !== "ready") return <Pending of={loaded} />;
  if (parts.length === 0) return <p class="quiet">{said.partsUnknown}</p>;
  return (
    <ContextPicture
      parts={parts}
      hasFiles={loaded.value.parts.some(({ hasFile }) => hasFile)}
      call={call}
      onLead={({ elementId }) => elementId !== undefined && revealElement(elementId)}
    />
  );
}

function contextPartsOf(parts: readonly RequestPart[]): readonly ContextPart[] {
  let messages = 0;
  return parts.map(({ kind, name, sizeBytes, beginning }): ContextPart => {
    const base = { sizeBytes, elementId: undefined, messageIndex: undefined };
    switch (kind) {
      case "tool":
        return { ...base, kind, name: name ?? beginning };
      case "system":
        return { ...base, kind, name: "", elementId: elementIds.system(0) };
      case "settings":
        return { ...base, kind, name: "" };
      case "message": {
        messages += 1;
        const role = roles.get(name ?? "") ?? "user";
        return { ...base, kind: role, name: toldWords.context.message(messages, beginning) };
      }
    }
  });
}

const roles: ReadonlyMap<string, "assistant" | "tool-result"> = new Map([
  ["assistant", "assistant"],
  ["model", "assistant"],
  ["function_call", "assistant"],
  ["reasoning", "assistant"],
  ["tool", "tool-result"],
  ["function", "tool-result"],
  ["function_call_output", "tool-result"],
]);

function System({ id }: { readonly id: string }): JSX.Element {
  const loaded = useRoute(routes.explainCall, { params: { id } });
  return loaded.state === "ready" ? <SystemSection {...loaded.value} /> : <Pending of={loaded} />;
}

export function CallsView({ id }: { readonly id: string | undefined }): JSX.Element {
  return id === undefined ? <CallList /> : <CallView key={id} id={id} />;
}
