import type { ConversationSession, LiveApproval, LivePart, LiveTurn, ToolProgress } from "@incipit/client/session";
import type { ApprovalDecision } from "@incipit/schema";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useState } from "preact/hooks";
import { Button, Checkbox } from "../controls/fields.tsx";
import { LongText } from "../controls/long-text.tsx";
import { GrowingMarkdown } from "../controls/markdown.tsx";
import { useTrying } from "../controls/problem.tsx";
import { words } from "../text/words.ts";
import { QuestionForm } from "./question-form.tsx";
import { shownApproval } from "./shown-approval.ts";
import { ToolCallView } from "./tool-call-view.tsx";
import { TurnEndNotice, type TryAgain } from "./turn-end-notice.tsx";
import { partNames, TurnPart } from "./turn-part.tsx";
import { UserText } from "./user-text.tsx";

interface LiveTurnProps {
  readonly turn: LiveTurn;
  readonly session: ConversationSession;
  /** 1-based. */
  readonly place: number;
  /** Number of messages in the list; -1 while unknown. */
  readonly setSize: number;
  readonly again: TryAgain | undefined;
}

export function LiveTurnView({ turn, session, place, setSize, again }: LiveTurnProps): JSX.Element {
  const { input, parts, end } = turn;
  const names = namesOf(turn);
  const said = words.messages;
  return (
    <>
      {input !== undefined && (
        <article
          class="message"
          data-role="user"
          data-live
          tabIndex={-1}
          aria-label={said.you}
          aria-posinset={place}
          aria-setsize={setSize}
        >
          <h2 class="quiet">{said.you}</h2>
          <UserText text={input} />
        </article>
      )}
      <article
        class="message"
        data-role="assistant"
        data-live
        tabIndex={-1}
        aria-label={said.reply}
        aria-busy={end === undefined}
        aria-posinset={input === undefined ? place : place + 1}
        aria-setsize={setSize}
      >
        {parts.map((part, index) => (
          // Index keys: parts are only appended, and providers may repeat ids.
          <LivePartView key={index} part={part} name={names[index] ?? ""} session={session} />
        ))}
        {end === undefined && <p class="running" aria-hidden="true" />}
        {end !== undefined && end.status !== "completed" && (
          <TurnEndNotice end={{ ...end, status: end.status }} turnId={turn.turnId} isNew again={again} />
        )}
      </article>
    </>
  );
}

/** A turn may have thousands of parts. */
function namesOf({ turnId, parts }: LiveTurn): readonly string[] {
  let reasoned = 0;
  return parts.map((part) => {
    if (part.kind === "tool-call") return partNames.toolCall(turnId, part.id);
    if (part.kind !== "reasoning") return "";
    reasoned += 1;
    return partNames.reasoning(turnId, reasoned - 1);
  });
}

interface LivePartProps {
  readonly part: LivePart;
  readonly name: string;
  readonly session: ConversationSession;
}

const LivePartView = memo(({ part, name, session }: LivePartProps): JSX.Element => {
  switch (part.kind) {
    case "text":
      return <GrowingMarkdown text={part.text} />;
    case "reasoning":
      return (
        <TurnPart name={name} title={words.messages.reasoning}>
          <GrowingMarkdown text={part.text} />
        </TurnPart>
      );
    case "tool-call":
      return (
        <ToolCallView
          {...part}
          part={name}
          isRunning={part.output === undefined && part.problem === undefined}
          progress={part.progress && progressText(part.progress)}
        />
      );
    case "approval":
      return <ApprovalView approval={part} session={session} />;
    case "question":
      return <QuestionForm asked={part} session={session} />;
    case "spoken":
      return (
        <p class="quiet" role="status" dir="auto">
          {part.message}
        </p>
      );
    case "retry":
      return (
        <p class="quiet" role="status">
          {words.messages.retrying(part.attempt, Math.ceil(part.waitMs / 1_000))}
        </p>
      );
  }
});

function progressText({ progress, total, message }: ToolProgress): string {
  const share = words.messages.progress(progress, total);
  return message === undefined || message === "" ? share : `${share} · ${message}`;
}

function ApprovalView({
  approval,
  session,
}: {
  readonly approval: LiveApproval;
  readonly session: ConversationSession;
}): JSX.Element {
  const said = words.approval;
  const { request, decision } = approval;
  const { trying, problem } = useTrying();
  const [isForFolder, setForFolder] = useState(false);
  const answer = (given: ApprovalDecision, scope?: string): Promise<boolean> => {
    const always = scope === undefined ? {} : { scope, ...(isForFolder ? { forFolder: true } : {}) };
    return trying(() => session.answerApproval(request.approvalId, { decision: given, ...always }));
  };
  const { tool, folder, reason, input, preview, scopes, forFolder, canAllow } = shownApproval(request);
  const title = folder === undefined ? said.title(tool) : said.folderTitle(folder);
  return (
    <section class="approval" aria-label={title}>
      <h3>
        <bdi>{title}</bdi>
      </h3>
      {reason !== undefined && <p dir="auto">{reason}</p>}
      {input !== "" && <LongText text={input} label={words.messages.input} />}
      {preview !== undefined && <LongText text={preview} label={said.preview} />}
      {!canAllow && <p>{said.notWhole}</p>}
      {decision === undefined ? (
        <>
          <div class="row">
            {canAllow && <Button text={said.allow} class="main" onClick={() => void answer("allow")} />}
            <Button text={said.deny} onClick={() => void answer("deny")} />
          </div>
          {canAllow && scopes.length > 0 && (
            <div class="scopes" role="group" aria-label={said.always}>
              <p class="quiet">{said.always}</p>
              {scopes.map(({ id, covers }) => (
                <button key={id} type="button" onClick={() => void answer("allow-always", id)}>
                  <bdi>{covers}</bdi>
                </button>
              ))}
              {forFolder !== undefined && (
                <Checkbox
                  label={<bdi>{said.forFolder(forFolder)}</bdi>}
                  isChecked={isForFolder}
                  onCheck={setForFolder}
                />
              )}
            </div>
          )}
        </>
      ) : (
        <p role="status">{decision === "deny" ? said.denied : said.allowed}</p>
      )}
      {problem}
    </section>
  );
}
