import type { ApprovalDecision } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Folded } from "../controls/folded.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { words } from "../text/words.ts";
import type { LiveApproval, LivePart, LiveTurn } from "./live-turn.ts";
import { ToolCallView } from "./tool-call-view.tsx";

interface LiveTurnProps {
  readonly turn: LiveTurn;
  readonly conversationId: string;
}

/** The turn that runs, as far as it is. */
export function LiveTurnView({ turn, conversationId }: LiveTurnProps): JSX.Element {
  const { input, parts, end } = turn;
  return (
    <>
      {input !== undefined && (
        <article class="message" data-role="user">
          <h2 class="quiet">{words.messages.you}</h2>
          <p class="said" dir="auto">
            {input}
          </p>
        </article>
      )}
      <article class="message" data-role="assistant" aria-busy={end === undefined}>
        {parts.map((part) => (
          <LivePartView key={`${part.kind} ${part.id}`} part={part} conversationId={conversationId} />
        ))}
        {end === undefined && <p class="running" aria-hidden="true" />}
        {end !== undefined && end.status !== "completed" && (
          <p class="problem" role="alert">
            {endText(end)}
          </p>
        )}
      </article>
    </>
  );
}

function endText({ status, problem }: NonNullable<LiveTurn["end"]>): string {
  if (status === "cancelled") return words.messages.cancelled;
  if (status === "interrupted") return words.messages.interrupted;
  return problem === undefined ? words.messages.failed : `${words.messages.failed}: ${problem}`;
}

function LivePartView({
  part,
  conversationId,
}: {
  readonly part: LivePart;
  readonly conversationId: string;
}): JSX.Element {
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} />;
    case "reasoning":
      return (
        <Folded title={words.messages.reasoning}>
          <Markdown text={part.text} />
        </Folded>
      );
    case "tool-call":
      return <ToolCallView {...part} isRunning={part.output === undefined && part.problem === undefined} />;
    case "approval":
      return <ApprovalView approval={part} conversationId={conversationId} />;
    case "retry":
      return (
        <p class="quiet" role="status">
          {words.messages.retrying(part.attempt, Math.ceil(part.waitMs / 1_000))}
        </p>
      );
  }
}

function ApprovalView({
  approval,
  conversationId,
}: {
  readonly approval: LiveApproval;
  readonly conversationId: string;
}): JSX.Element {
  const said = words.approval;
  const { request, decision } = approval;
  const [error, setError] = useState<unknown>();
  const answer = async (given: ApprovalDecision): Promise<void> => {
    setError(undefined);
    const params = { id: conversationId, approvalId: request.approvalId };
    await api.call(routes.answerApproval, { params, body: { decision: given } }).catch(setError);
  };
  return (
    <section class="approval" aria-label={said.title(request.name)}>
      <h3>{said.title(request.name)}</h3>
      {request.why !== undefined && <p>{request.why}</p>}
      <pre tabIndex={0} dir="auto">
        {request.preview ?? request.input}
      </pre>
      {decision === undefined ? (
        <div class="row">
          <button type="button" class="main" onClick={() => void answer("allow")}>
            {said.allow}
          </button>
          <button type="button" onClick={() => void answer("deny")}>
            {said.deny}
          </button>
        </div>
      ) : (
        <p role="status">{decision === "deny" ? said.denied : said.allowed}</p>
      )}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
}
