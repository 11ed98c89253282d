import type { AuditedStep, ConversationId, StepRecord } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Paragraph } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Pending } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { byteSize } from "../text/bytes.ts";
import { toldWords } from "../text/told-words.ts";
import { CompareSteps } from "./compare-steps.tsx";
import { contextPartsOf, hasFilesIn, type ContextPart } from "./context-parts.ts";
import { ContextPicture } from "./context-picture.tsx";
import { elementIds } from "./element-ids.ts";
import { MessagesSection } from "./messages-section.tsx";
import { RawBody } from "./raw-body.tsx";
import { revealElement } from "./element-ids.ts";
import { savedByCompaction } from "./context-picture.tsx";
import { StepFacts } from "./step-facts.tsx";
import { SystemSection } from "./system-section.tsx";

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
  const params = { id: conversationId, stepId };
  // Reloads a running call as it grows.
  const grown = [known?.usage?.outputTokens, index === steps.length - 1];
  const loaded = useRoute(routes.getStepRecord, { params }, grown);
  const record = loaded.known;
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
      <Pending of={loaded} />
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
  useEffect(() => {
    if (target !== undefined) revealElement(target.elementId);
  }, [target]);
  const lead = ({ elementId, messageIndex }: ContextPart): void => {
    if (elementId === undefined) return;
    if (messageIndex !== undefined && messageIndex < from) setFrom(messageIndex);
    setTarget({ elementId });
  };
  const params = { id: conversationId, stepId: record.step.id };
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
          call={record.step}
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
        <RawBody id={record.step.id} load={(signal) => api.call(routes.getStepRequest, { params, signal })} />
      </Folded>
      <Folded title={toldWords.compare.title}>
        <CompareSteps conversationId={conversationId} record={record} steps={steps} />
      </Folded>
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly heading?: "h2" | "h3";
  readonly children: ComponentChildren;
}

export function Part({ title, heading: Heading = "h3", children }: PartProps): JSX.Element {
  return (
    <section class="told-part" aria-label={title}>
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}

function ToolsSection({
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
          <Paragraph class="said">{tool.description}</Paragraph>
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
