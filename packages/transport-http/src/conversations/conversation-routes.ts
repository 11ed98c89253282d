import {
  approvalIdSchema,
  questionIdSchema,
  turnIdSchema,
  type ApprovalId,
  type QuestionId,
  type TurnId,
} from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { refusalFor } from "../request/admission.ts";
import { accessSignal } from "../request/caller.ts";
import type { AnyCall, Handlers } from "../request/route-call.ts";
import { linesAnswer } from "./lines-answer.ts";
import type { OpenStreams } from "../stream/open-streams.ts";
import { check } from "../request/read-body.ts";
import { readLines } from "./read-lines.ts";
import { need, type Services } from "../context/services.ts";

export function conversationHandlers(services: Services, streams: OpenStreams) {
  const { clock, log } = services;
  const conversations = () => need(services.conversations, "session orchestrator");
  const approvals = () => need(services.approvals, "way to answer approvals");
  const records = () => need(services.conversationRecords, "session orchestrator");
  const builder = () => need(services.systemPrompt, "prompt builder");
  const promptHistory = () => need(services.promptHistory, "prompt builder that remembers prompts");
  return {
    createConversation: async (call) => {
      const service = conversations();
      const request = await call.body();
      return call.answer({ conversation: await service.create(request) });
    },
    listConversations: async (call) => {
      const { items, ...rest } = await conversations().list(call.query());
      return call.answer({ conversations: items, ...rest });
    },
    searchConversations: async (call) => {
      const { items, ...rest } = await conversations().search(call.query());
      return call.answer({ results: [...items], ...rest });
    },
    getConversation: async (call) =>
      call.answer({ conversation: await conversations().get(call.conversationId()) }),
    listTasks: async (call) => {
      const { items, ...rest } = await conversations().tasks(call.conversationId(), call.query());
      return call.answer({ tasks: [...items], ...rest });
    },
    forkConversation: async (call) => {
      const id = call.conversationId();
      const service = conversations();
      await service.get(id);
      const body = await call.body({ isOptional: true });
      return call.answer({ conversation: await service.fork(id, body) });
    },
    updateConversation: async (call) => {
      const id = call.conversationId();
      const service = conversations();
      await service.get(id);
      const request = await call.body();
      return call.answer({ conversation: await service.update(id, request) });
    },
    exportConversation: async (call) => {
      const id = call.conversationId();
      const service = conversations();
      await service.get(id);
      return linesAnswer(service.exportLines(id), {
        name: id,
        cut: accessSignal(call.caller),
        onFailure: (failure) => {
          const error = failure instanceof Error ? failure.message : String(failure);
          log.error("An export was cut off", { conversationId: id, error });
        },
      });
    },
    importConversation: async (call) => {
      const lines = readLines(call.context.req.raw, routes.importConversation.bodyLines, {
        clock,
        signal: call.late,
      });
      return call.answer({ conversation: await conversations().importLines(lines) });
    },
    deleteConversation: async (call) => {
      await conversations().delete(call.conversationId());
      return call.answer({ deleted: true });
    },
    listMessages: async (call) => {
      const { items, ...rest } = await records().messages(call.conversationId(), call.query());
      return call.answer({ messages: items, ...rest });
    },
    createTurn: async (call) => {
      const id = call.conversationId();
      const service = conversations();
      await service.get(id);
      const { prefer = "", "idempotency-key": idempotencyKey } = check(
        routes.createTurn.headers,
        call.context.req.header(),
      );
      const body = await call.body();
      const { allow = [], ...request } = body;
      const options = { ...(idempotencyKey === undefined ? {} : { idempotencyKey }), signal: call.late };
      const sent =
        allow.length === 0
          ? service.send(id, request, options)
          : approvals().sendAllowing(id, request, { ...options, allow });
      const { turnId, afterSeq } = await sent;
      if (/(^|,)\s*respond-async\s*($|[,;])/i.test(prefer)) {
        const accepted = answer(routes.createTurn.asyncAnswer, { turnId });
        accepted.headers.set("preference-applied", "respond-async");
        return accepted;
      }
      return streams.open({ id, afterSeq, turnId, cut: accessSignal(call.caller) });
    },
    followEvents: async (call) => {
      const id = call.conversationId();
      const { lastSeq } = await conversations().get(id);
      const { after } = call.query();
      const given = call.header("last-event-id") ?? after;
      const afterSeq = given === undefined ? lastSeq : eventNumber(given, lastSeq);
      // A HEAD client would never read or close a stream.
      if (call.context.req.raw.method === "HEAD") return streams.headersAlone();
      const caller = call.caller;
      const onEnd = caller?.kind === "ticket" ? caller.end : undefined;
      return streams.open({ id, afterSeq, cut: accessSignal(caller), onEnd });
    },
    stopConversation: async (call) => call.answer({ stopped: await conversations().stop(call.conversationId()) }),
    getQueue: async (call) => call.answer({ queue: [...(await conversations().queue(call.conversationId()))] }),
    removeQueuedTurn: async (call) => {
      const id = call.conversationId();
      const service = conversations();
      await service.get(id);
      await service.removeQueued(id, queuedTurnId(call));
      return call.answer({ queue: [...(await service.queue(id))] });
    },
    resumeConversation: async (call) =>
      call.answer({ resumed: await conversations().resume(call.conversationId()) }),
    answerApproval: async (call) => {
      const id = call.conversationId();
      await conversations().get(id);
      const approval = approvalId(call);
      const { decision, scope, unattended = false, forFolder = false } = await call.body();
      // Permissions beyond the conversation require the right to trust the folder.
      const refusal = forFolder ? refusalFor({ req: call.context.req, caller: call.caller }, "owner") : undefined;
      if (refusal !== undefined) return refusal;
      await approvals().answerApproval(id, approval, {
        decision,
        ...(scope === undefined ? {} : { scope }),
        ...(unattended ? { isUnattended: true } : {}),
        ...(forFolder ? { isForFolder: true } : {}),
      });
      return call.answer({ approvalId: approval, decision });
    },
    listAllowed: async (call) => {
      const allowed = await approvals().allowedCalls(call.conversationId());
      return call.answer({ allowed: [...allowed] });
    },
    takeBackAllowed: async (call) => {
      const id = call.conversationId();
      await conversations().get(id);
      await approvals().takeBackAllowed(id, approvalId(call));
      return call.answer({ allowed: [...(await approvals().allowedCalls(id))] });
    },
    answerQuestion: async (call) => {
      const id = call.conversationId();
      await conversations().get(id);
      const question = questionId(call);
      const { action, content, unattended = false } = await call.body();
      await need(services.approvals, "way to answer questions").answerQuestion(id, question, {
        action,
        ...(content === undefined ? {} : { content }),
        ...(unattended ? { isUnattended: true } : {}),
      });
      return call.answer({ questionId: question, action });
    },
    // Continues after a disconnect, because the client could not learn the outcome.
    compactConversation: async (call) => {
      const body = await call.body({ isOptional: true });
      const { instructions } = body;
      const options = { signal: call.late, ...(instructions === undefined ? {} : { instructions }) };
      return call.answer(await conversations().compact(call.conversationId(), options));
    },
    getConversationSystemPrompt: async (call) => {
      const { id } = await conversations().get(call.conversationId());
      return call.answer(await builder().describe(id));
    },
    explainConversation: async (call) => {
      const { id } = await conversations().get(call.conversationId());
      const explain = await builder().explain(id);
      return call.answer({
        explain,
        leftOutTools: [...(await conversations().leftOutTools(id))],
      });
    },
    getDrift: async (call) =>
      call.answer({ drift: await conversations().drift(call.conversationId(), { signal: call.late }) }),
    // Continues after a disconnect, as compaction does.
    rebuildPrompt: async (call) => {
      const id = call.conversationId();
      const service = conversations();
      await service.get(id);
      const request = await call.body({ isOptional: true });
      const outcome = await service.rebuild(id, request, { signal: call.late });
      return call.answer({ outcome, systemPrompt: await builder().describe(id) });
    },
    listConstructions: async (call) => {
      const { id } = await conversations().get(call.conversationId());
      const { items, ...rest } = await promptHistory().constructions(id, call.query());
      return call.answer({ constructions: [...items], ...rest });
    },
    getConstructedText: async (call) => {
      const { id } = await conversations().get(call.conversationId());
      const sha256 = call.param("sha256");
      const systemPrompt = await promptHistory().constructedText(id, sha256);
      return call.answer({ systemPrompt, sha256 });
    },
    getConversationTools: async (call) =>
      call.answer(await conversations().tools(call.conversationId(), { signal: call.late })),
    getToolOutput: async (call) =>
      // Models choose these ids, so a NUL is valid.
      call.answer(await records().toolOutput(call.conversationId(), call.context.req.param("toolCallId") ?? "")),
    listSteps: async (call) => {
      const { items, ...rest } = await records().steps(call.conversationId(), call.query());
      return call.answer({ steps: items, ...rest });
    },
    auditConversation: async (call) => {
      const { items, ...rest } = await records().audit(call.conversationId(), call.query());
      return call.answer({ steps: [...items], ...rest });
    },
    auditConversations: async (call) => {
      const { items, ...rest } = await records().audits(call.query());
      return call.answer({ conversations: [...items], ...rest });
    },
    listCosts: async (call) => {
      const { items, ...rest } = await records().costs(call.query());
      return call.answer({ costs: [...items], ...rest });
    },
    getStepRequest: async (call) =>
      call.answer(await records().stepRequest(call.conversationId(), call.param("stepId"))),
  } satisfies Partial<Handlers>;
}

/** @throws {ServiceError} `INVALID_EVENT_ID` for a malformed or future number. */
function eventNumber(text: string, lastSeq: number): number {
  if (!/^\d{1,15}$/.test(text)) {
    const message = `"${text}" is not an event number; send the id of an event, or 0 for all`;
    throw new ServiceError("INVALID_EVENT_ID", message);
  }
  const seq = Number(text);
  if (seq <= lastSeq) return seq;
  throw new ServiceError("INVALID_EVENT_ID", `Event ${seq} does not exist yet: the newest is ${lastSeq}`);
}

function approvalId(call: AnyCall): ApprovalId {
  const next = { action: "show-conversation", conversationId: call.param("id") } as const;
  return call.id(approvalIdSchema, { of: "approval", code: "APPROVAL_UNKNOWN", next });
}

function questionId(call: AnyCall): QuestionId {
  const next = { action: "show-conversation", conversationId: call.param("id") } as const;
  return call.id(questionIdSchema, { of: "question", code: "QUESTION_UNKNOWN", next });
}

function queuedTurnId(call: AnyCall): TurnId {
  const next = { action: "list-queue", conversationId: call.param("id") } as const;
  return call.id(turnIdSchema, { of: "turn", code: "TURN_NOT_QUEUED", next });
}
