import {
  emptyAuditSummary,
  type AuditedStep,
  type AuditSummary,
  type Conversation,
  type ConversationId,
} from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { Paragraph } from "../controls/fields.tsx";
import { Pending } from "../controls/problem.tsx";
import { DriftPanel } from "../drift/drift-panel.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad, useRoute, useRefresh } from "../session/use-load.ts";
import { compareWords } from "../text/compare-words.ts";
import { toldWords } from "../text/told-words.ts";
import { words } from "../text/words.ts";
import { StepList } from "./step-list.tsx";
import { StepView } from "./step-view.tsx";

const pageSize = 1_000;
/** Interval of reloading, because other clients run conversations, too. */
const refreshMs = 5_000;

interface ToldViewProps {
  readonly id: string;
  /** `undefined` for the newest. */
  readonly stepId: string | undefined;
}

export function InspectorView({ id, stepId }: ToldViewProps): JSX.Element {
  const loaded = useRoute(routes.getConversation, { params: { id } });
  useRefresh(loaded.reload, refreshMs);
  return (
    <main id="content" class="told" tabIndex={-1} aria-label={toldWords.title}>
      <Pending of={loaded} />
      {loaded.known !== undefined && <Told conversation={loaded.known.conversation} stepId={stepId} />}
    </main>
  );
}

interface ToldProps {
  readonly conversation: Conversation;
  readonly stepId: string | undefined;
}

function Told({ conversation, stepId }: ToldProps): JSX.Element {
  const { id, title, lastSeq, status, epoch } = conversation;
  const loaded = useLoad((signal) => allSteps(id, signal), [id, lastSeq]);
  const first = useRef(stepId);
  const audit = loaded.known;
  const steps = audit?.steps ?? [];
  const openId = stepId ?? steps.at(-1)?.id;
  return (
    <>
      <header class="head">
        <h1>{toldWords.title}</h1>
        <Paragraph class="quiet">
          {`${toldWords.of} `}
          <a href={addressOf({ view: "conversations", id })} title={toldWords.back}>
            {title ?? words.conversations.untitled}
          </a>
          {" · "}
          <a href={addressOf({ view: "compare", left: `prompt:${id}`, right: undefined })}>
            {compareWords.promptsLink}
          </a>
        </Paragraph>
        <DriftPanel id={id} changes={`${status} ${epoch}`} />
      </header>
      <Pending of={loaded} />
      {audit?.steps.length === 0 && <p>{toldWords.none}</p>}
      {audit !== undefined && steps.length > 0 && (
        <StepList conversationId={id} steps={steps} openId={openId} summary={audit.summary} />
      )}
      {openId !== undefined && (
        <StepView
          key={openId}
          conversationId={id}
          stepId={openId}
          steps={steps}
          isChosen={stepId !== undefined && stepId !== first.current}
        />
      )}
    </>
  );
}

interface Audit {
  /** Oldest first. */
  readonly steps: readonly AuditedStep[];
  readonly summary: AuditSummary;
}

async function allSteps(id: ConversationId, signal: AbortSignal): Promise<Audit> {
  const steps: AuditedStep[] = [];
  let cursor: string | undefined;
  let summary = emptyAuditSummary;
  do {
    const query = { limit: pageSize, cursor };
    const page = await api.call(routes.auditConversation, { params: { id }, query, signal });
    steps.push(...page.steps);
    summary = page.summary;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { steps, summary };
}
