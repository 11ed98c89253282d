import type { AuditedStep, Conversation, ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { DriftPanel } from "../drift/drift-panel.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { toldWords } from "../text/told-words.ts";
import { words } from "../text/words.ts";
import { StepList } from "./step-list.tsx";
import { StepView } from "./step-view.tsx";

const pageSize = 1_000;
/** A conversation that goes on elsewhere is seen to after this. */
const refreshMs = 5_000;

interface ToldViewProps {
  readonly id: string;
  /** `undefined`: the newest. */
  readonly stepId: string | undefined;
}

/** What the model was told in a conversation: call by call, and what would be another way now. */
export function ToldView({ id, stepId }: ToldViewProps): JSX.Element {
  const params = { id };
  const asked = useLoad((signal) => api.call(routes.getConversation, { params, signal }), [id]);
  const { loaded, reload } = asked;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <main id="content" class="told" tabIndex={-1} aria-label={toldWords.title}>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && <Told conversation={loaded.value.conversation} stepId={stepId} />}
    </main>
  );
}

interface ToldProps {
  readonly conversation: Conversation;
  readonly stepId: string | undefined;
}

function Told({ conversation, stepId }: ToldProps): JSX.Element {
  const { id, title, lastSeq, status, epoch } = conversation;
  const { loaded, reload } = useLoad((signal) => allSteps(id, signal), [id, lastSeq]);
  const first = useRef(stepId);
  const steps = loaded.state === "ready" ? loaded.value : [];
  const openId = stepId ?? steps.at(-1)?.id;
  return (
    <>
      <header class="head">
        <h1>{toldWords.title}</h1>
        <p class="quiet" dir="auto">
          {`${toldWords.of} `}
          <a href={addressOf({ view: "conversations", id })} title={toldWords.back}>
            {title ?? words.conversations.untitled}
          </a>
        </p>
        <DriftPanel id={id} changes={`${status} ${epoch}`} />
      </header>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && steps.length === 0 && <p>{toldWords.none}</p>}
      {steps.length > 0 && <StepList conversationId={id} steps={steps} openId={openId} />}
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

/** The model calls of a conversation, oldest first. */
async function allSteps(id: ConversationId, signal: AbortSignal): Promise<readonly AuditedStep[]> {
  const steps: AuditedStep[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.call(routes.auditConversation, { params: { id }, query, signal });
    steps.push(...page.steps);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return steps;
}
