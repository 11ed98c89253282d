import type { AuditedStep, ConversationId, StepRecord } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Folded } from "../controls/folded.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useKept } from "../session/use-kept.ts";
import { useLoad } from "../session/use-load.ts";
import { toldWords } from "../text/told-words.ts";
import { words } from "../text/words.ts";
import { CompareSteps } from "./compare-steps.tsx";
import { contextPartsOf, hasFilesIn, type ContextPart } from "./context-parts.ts";
import { ContextPicture } from "./context-picture.tsx";
import { revealElement } from "./reveal-element.ts";
import { MessagesSection } from "./messages-section.tsx";
import { RawBody } from "./raw-body.tsx";
import { savedByCompaction } from "./saved-by-compaction.ts";
import { StepFacts } from "./step-facts.tsx";
import { SystemSection } from "./system-section.tsx";
import { ToolsSection } from "./tools-section.tsx";

const shownAtOnce = 200;

interface StepViewProps {
  readonly conversationId: ConversationId;
  readonly stepId: string;
  /** All calls, oldest first. */
  readonly steps: readonly AuditedStep[];
  /** Receives the focus. */
  readonly isChosen: boolean;
}

export function StepView({ conversationId, stepId, steps, isChosen }: StepViewProps): JSX.Element {
  const index = steps.findIndex(({ id }) => id === stepId);
  const known = steps[index];
  const heading = useRef<HTMLHeadingElement>(null);
  const { loaded, reload } = useLoad(
    (signal) => api.call(routes.getStepRecord, { params: { id: conversationId, stepId }, signal }),
    // Reloads a running call as it grows.
    [known?.usage?.outputTokens, index === steps.length - 1],
  );
  const record = useKept(loaded);
  // The heading can be scrolled to the top only with the content.
  useEffect(() => {
    if (!isChosen || record === undefined) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "start" });
  }, [record === undefined]);
  return (
    <section class="step" aria-labelledby="step-title">
      <h2 id="step-title" tabIndex={-1} ref={heading}>
        {index < 0 ? toldWords.noStep : toldWords.list.step(index + 1)}
      </h2>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {record !== undefined && <StepContent conversationId={conversationId} record={record} steps={steps} />}
    </section>
  );
}

interface ContentProps {
  readonly conversationId: ConversationId;
  readonly record: StepRecord;
  readonly steps: readonly AuditedStep[];
}

function StepContent({ conversationId, record, steps }: ContentProps): JSX.Element {
  const [from, setFrom] = useState(Math.max(0, (record.messages?.length ?? 0) - shownAtOnce));
  const parts = useMemo(() => contextPartsOf(record), [record]);
  const [target, setTarget] = useState<{ readonly elementId: string }>();
  const { loaded } = useLoad((signal) => api.call(routes.listModels, { signal }), []);
  const facts =
    loaded.state === "ready" ? loaded.value.models.find(({ id }) => id === record.step.model)?.facts : undefined;
  useEffect(() => {
    if (target !== undefined) revealElement(target.elementId);
  }, [target]);
  const lead = ({ elementId, messageIndex }: ContextPart): void => {
    if (elementId === undefined) return;
    if (messageIndex !== undefined && messageIndex < from) setFrom(messageIndex);
    setTarget({ elementId });
  };
  const showEarlier = (): void => setFrom(Math.max(0, from - shownAtOnce));
  return (
    <>
      <Part title={toldWords.system.title}>
        <SystemSection {...record} />
      </Part>
      <Part title={toldWords.context.title}>
        <ContextPicture
          parts={parts}
          hasFiles={hasFilesIn(record)}
          inputTokens={record.step.usage?.inputTokens ?? null}
          inputPrice={(record.step.prices ?? facts?.prices)?.input ?? null}
          window={facts?.contextWindow ?? null}
          saved={savedByCompaction(record.step, steps)}
          onLead={lead}
        />
      </Part>
      <Part title={toldWords.tools.title}>
        <ToolsSection tools={record.tools} deferred={record.deferredTools} />
      </Part>
      <Part title={toldWords.messages.title}>
        <MessagesSection record={record} from={from} onShowEarlier={showEarlier} />
      </Part>
      <Part title={toldWords.step.facts}>
        <StepFacts record={record} />
      </Part>
      <Folded title={toldWords.body.title}>
        <RawBody
          id={record.step.id}
          load={(signal) =>
            api.call(routes.getStepRequest, { params: { id: conversationId, stepId: record.step.id }, signal })
          }
        />
      </Folded>
      <Folded title={toldWords.compare.title}>
        <CompareSteps conversationId={conversationId} record={record} steps={steps} />
      </Folded>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <section class="told-part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
