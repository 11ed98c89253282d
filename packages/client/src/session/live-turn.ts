import type {
  Approval,
  ApprovalDecision,
  Failure,
  Question,
  QuestionAction,
  TurnEvent,
  TurnStatus,
} from "@incipit/schema";

interface LiveText {
  readonly kind: "text" | "reasoning";
  readonly id: string;
  readonly text: string;
  readonly isOpen: boolean;
}

export type ToolProgress = Pick<
  Extract<TurnEvent, { type: "tool-call-progress" }>,
  "progress" | "total" | "message"
>;

interface LiveToolCall {
  readonly kind: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly problem: string | undefined;
  readonly progress: ToolProgress | undefined;
  readonly allowedBy: string | undefined;
}

export interface LiveApproval {
  readonly kind: "approval";
  readonly id: string;
  readonly request: Approval;
  readonly decision: ApprovalDecision | undefined;
}

export interface LiveQuestion {
  readonly kind: "question";
  readonly id: string;
  readonly question: Question;
  /** `undefined` while it waits. */
  readonly action: QuestionAction | undefined;
}

interface LiveSpokenNotice {
  readonly kind: "spoken";
  readonly id: string;
  readonly message: string;
}

interface LiveNotice {
  readonly kind: "retry";
  readonly id: string;
  readonly attempt: number;
  readonly waitMs: number;
}

export type LivePart = LiveText | LiveToolCall | LiveApproval | LiveQuestion | LiveNotice | LiveSpokenNotice;

export interface LiveTurn {
  readonly turnId: string;
  readonly input: string | undefined;
  readonly parts: readonly LivePart[];
  readonly end: { readonly status: TurnStatus; readonly error?: Failure } | undefined;
}

export function withEvent(before: LiveTurn | undefined, event: TurnEvent): LiveTurn | undefined {
  if (event.type === "turn-queue" || event.type === "compaction-start" || event.type === "compaction-end")
    return before;
  const turn = before?.turnId === event.turnId ? before : begun(event.turnId);
  switch (event.type) {
    case "turn-start":
      return { ...turn, input: event.input };
    case "text-start":
    case "reasoning-start": {
      const kind = event.type === "text-start" ? "text" : "reasoning";
      return { ...turn, parts: [...turn.parts, { kind, id: event.partId, text: event.text, isOpen: true }] };
    }
    case "text-delta":
    case "reasoning-delta":
      return changed(turn, event.partId, (part) =>
        part.kind === "text" || part.kind === "reasoning" ? { ...part, text: part.text + event.text } : part,
      );
    case "text-end":
    case "reasoning-end":
      return changed(turn, event.partId, (part) =>
        part.kind === "text" || part.kind === "reasoning" ? { ...part, text: event.text, isOpen: false } : part,
      );
    case "tool-call-start":
      return { ...turn, parts: [...turn.parts, calling(event.toolCallId, event.name)] };
    case "tool-call-progress": {
      const { progress, total, message } = event;
      const reported = {
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      return changed(turn, event.toolCallId, (part) =>
        part.kind === "tool-call" ? { ...part, progress: reported } : part,
      );
    }
    case "tool-call-end": {
      const known = turn.parts.some(({ id }) => id === event.toolCallId)
        ? turn
        : { ...turn, parts: [...turn.parts, calling(event.toolCallId, event.name)] };
      return changed(known, event.toolCallId, (part) =>
        part.kind === "tool-call"
          ? {
              ...part,
              name: event.name,
              input: event.input,
              output: event.output,
              problem: event.error?.message,
              allowedBy: event.allowedBy,
            }
          : part,
      );
    }
    case "approval-request": {
      const { type: _, seq: __, at: ___, ...request } = event;
      const approval = { kind: "approval", id: event.approvalId, request, decision: undefined } as const;
      return { ...turn, parts: [...turn.parts, approval] };
    }
    case "approval-end":
      return changed(turn, event.approvalId, (part) =>
        part.kind === "approval" ? { ...part, decision: event.decision } : part,
      );
    case "question-request": {
      const { type: _, seq: __, at: ___, ...question } = event;
      const asked = { kind: "question", id: event.questionId, question, action: undefined } as const;
      return { ...turn, parts: [...turn.parts, asked] };
    }
    case "question-end":
      return changed(turn, event.questionId, (part) =>
        part.kind === "question" ? { ...part, action: event.action } : part,
      );
    case "spending-notice":
    case "folder-notice": {
      const notice = { kind: "spoken", id: `${event.type}-${event.seq}`, message: event.message } as const;
      return { ...turn, parts: [...turn.parts, notice] };
    }
    case "step-retry": {
      const id = `retry-${event.seq}`;
      const notice = { kind: "retry", id, attempt: event.attempt, waitMs: event.waitMs } as const;
      return { ...turn, parts: [...turn.parts, notice] };
    }
    case "turn-end":
      return {
        ...turn,
        end: { status: event.status, ...(event.error === undefined ? {} : { error: event.error }) },
      };
    // Not shown, or of a newer host.
    default:
      return turn;
  }
}

function begun(turnId: string): LiveTurn {
  return { turnId, input: undefined, parts: [], end: undefined };
}

function calling(id: string, name: string): LiveToolCall {
  return {
    kind: "tool-call",
    id,
    name,
    input: undefined,
    output: undefined,
    problem: undefined,
    progress: undefined,
    allowedBy: undefined,
  };
}

/** Providers may repeat ids in the next step. */
function changed(turn: LiveTurn, id: string, change: (part: LivePart) => LivePart): LiveTurn {
  const index = turn.parts.findLastIndex((part) => part.id === id);
  const part = turn.parts[index];
  return part === undefined ? turn : { ...turn, parts: turn.parts.with(index, change(part)) };
}
