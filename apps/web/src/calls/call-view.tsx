import { callCost, type ModelCall, type RequestPart } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Folded } from "../controls/folded.tsx";
import { Problem } from "../controls/problem.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { readShare, SharesBar } from "../told/cache-bar.tsx";
import type { ContextPart } from "../told/context-parts.ts";
import { ContextPicture } from "../told/context-picture.tsx";
import { elementIds } from "../told/element-ids.ts";
import { revealElement } from "../told/reveal-element.ts";
import { RawBody } from "../told/raw-body.tsx";
import { SystemSection } from "../told/system-section.tsx";
import { amounts } from "../text/amounts.ts";
import { callsWords } from "../text/calls-words.ts";
import { toldWords } from "../text/told-words.ts";
import { words } from "../text/words.ts";

const said = callsWords;

export function CallView({ id }: { readonly id: string }): JSX.Element {
  const params = { id };
  const { loaded, reload } = useLoad((signal) => api.call(routes.getCall, { params, signal }), [id]);
  return (
    <main id="content" class="told calls" tabIndex={-1} aria-label={said.call}>
      <header class="head">
        <h1>{said.call}</h1>
        <a href={addressOf({ view: "calls", id: undefined })}>{said.all}</a>
      </header>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && <Content call={loaded.value.call} />}
    </main>
  );
}

function Content({ call }: { readonly call: ModelCall }): JSX.Element {
  const { id, requestSha256 } = call;
  return (
    <div class="step">
      <Part title={toldWords.step.facts}>
        <Facts call={call} />
      </Part>
      {requestSha256 === null ? (
        <p>{said.nothingSent}</p>
      ) : (
        <>
          <Part title={toldWords.context.title}>
            <Context call={call} />
          </Part>
          <Part title={toldWords.system.title}>
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

function Facts({ call }: { readonly call: ModelCall }): JSX.Element {
  const { step } = toldWords;
  const { startedAt, endedAt, model, profile, cwd, status, attempts, usage, prices, error, finishReason } = call;
  const tookMs = endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  const cost = callCost(prices, usage);
  const tokens = [
    ...(usage?.inputTokens == null ? [] : [toldWords.list.input(usage.inputTokens)]),
    ...(usage?.cacheReadTokens == null ? [] : [toldWords.list.cached(usage.cacheReadTokens)]),
    ...(usage?.outputTokens == null ? [] : [toldWords.list.output(usage.outputTokens)]),
  ];
  const facts: readonly (readonly [string, string])[] = [
    [step.when, amounts.time(startedAt)],
    [step.model, model],
    ...(profile === null ? [] : [[said.profile, profile] as const]),
    [said.folder, cwd],
    [said.state, said.statuses[status]],
    ...(tookMs === null ? [] : [[step.took, step.seconds(tookMs / 1_000)] as const]),
    ...(attempts > 1 ? [[step.tries, amounts.count(attempts)] as const] : []),
    [step.tokens, tokens.length === 0 ? toldWords.list.noUsage : tokens.join(" · ")],
    [said.cost, cost.kind === "unknown" ? said.noCost : `${cost.isAtMost ? "≤ " : ""}${amounts.dollars(cost.usd)}`],
    ...(error === null && finishReason === null
      ? []
      : [[step.ended, error?.message ?? finishReason ?? ""] as const]),
  ];
  const read = readShare(usage);
  return (
    <dl class="facts">
      {facts.map(([name, value]) => [
        <dt key={`${name}-name`}>{name}</dt>,
        <dd key={name} dir="auto">
          {value}
        </dd>,
      ])}
      <dt>{said.cache}</dt>
      <dd>
        {usage?.cacheReadTokens == null ? (
          said.cacheNotReported
        ) : (
          <>
            <SharesBar read={read} same={read} width={1} />
            {read === 0 ? said.noneCached : said.cached(read)}
          </>
        )}
      </dd>
    </dl>
  );
}

function Context({ call: { id, model, usage, prices } }: { readonly call: ModelCall }): JSX.Element {
  const { loaded, reload } = useLoad((signal) => api.call(routes.getCallParts, { params: { id }, signal }), [id]);
  const models = useLoad((signal) => api.call(routes.listModels, { signal }), []).loaded;
  const found = models.state === "ready" ? models.value.models.find((one) => one.id === model)?.facts : undefined;
  const parts = useMemo(() => (loaded.state === "ready" ? contextPartsOf(loaded.value.parts) : []), [loaded]);
  if (loaded.state === "loading") return <p class="quiet">{words.state.loading}</p>;
  if (loaded.state === "failed") return <Problem error={loaded.error} onRetry={reload} />;
  if (parts.length === 0) return <p class="quiet">{said.partsUnknown}</p>;
  return (
    <ContextPicture
      parts={parts}
      hasFiles={loaded.value.parts.some(({ hasFile }) => hasFile)}
      inputTokens={usage?.inputTokens ?? null}
      inputPrice={(prices ?? found?.prices)?.input ?? null}
      window={found?.contextWindow ?? null}
      onLead={({ elementId }) => {
        if (elementId !== undefined) revealElement(elementId);
      }}
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
  const { loaded, reload } = useLoad((signal) => api.call(routes.explainCall, { params: { id }, signal }), [id]);
  if (loaded.state === "loading") return <p class="quiet">{words.state.loading}</p>;
  if (loaded.state === "failed") return <Problem error={loaded.error} onRetry={reload} />;
  return <SystemSection {...loaded.value} />;
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <section class="told-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
