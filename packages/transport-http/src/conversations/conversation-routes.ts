import {
  ServiceError,
  type ApprovalsService,
  type ConversationRecordsService,
  type ConversationsService,
  type PromptHistory,
  type SystemPromptService,
} from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { refusalFor } from "../request/admission.ts";
import { accessSignal } from "../request/caller.ts";
import { approvalId, conversationId, param, questionId, queuedTurnId, type Handlers } from "../request/handler.ts";
import { linesAnswer } from "./lines-answer.ts";
import type { OpenStreams } from "../stream/open-streams.ts";
import { check, readBody } from "../request/read-body.ts";
import { readLines } from "./read-lines.ts";
import { need, type Services } from "../context/services.ts";

type ConversationRoute =
  | "createConversation"
  | "listConversations"
  | "searchConversations"
  | "getConversation"
  | "listTasks"
  | "forkConversation"
  | "updateConversation"
  | "exportConversation"
  | "importConversation"
  | "deleteConversation"
  | "listMessages"
  | "createTurn"
  | "followEvents"
  | "stopConversation"
  | "answerApproval"
  | "listAllowed"
  | "takeBackAllowed"
  | "answerQuestion"
  | "getQueue"
  | "removeQueuedTurn"
  | "resumeConversation"
  | "compactConversation"
  | "getConversationSystemPrompt"
  | "explainConversation"
  | "getDrift"
  | "rebuildPrompt"
  | "listConstructions"
  | "getConstructedText"
  | "getConversationTools"
  | "getToolOutput"
  | "listSteps"
  | "getStepRequest"
  | "auditConversation"
  | "auditConversations"
  | "listCosts";

export function conversationHandlers(services: Services, streams: OpenStreams): Handlers<ConversationRoute> {
  const { clock, log } = services;
  const conversations = (): ConversationsService => need(services.conversations, "session orchestrator");
  const approvals = (): ApprovalsService => need(services.approvals, "way to answer approvals");
  const records = (): ConversationRecordsService => need(services.conversationRecords, "session orchestrator");
  const builder = (): SystemPromptService => need(services.systemPrompt, "prompt builder");
  const promptHistory = (): PromptHistory => need(services.promptHistory, "prompt builder that remembers prompts");
  return {
    createConversation: async (context, signal) => {
      const service = conversations();
      const request = await readBody(context.req.raw, routes.createConversation.body, { clock, signal });
      return answer(routes.createConversation, { conversation: await service.create(request) });
    },
    listConversations: async (context) => {
      const query = check(routes.listConversations.query, context.req.query());
      const { items, ...rest } = await conversations().list(query);
      return answer(routes.listConversations, { conversations: items, ...rest });
    },
    searchConversations: async (context) => {
      const query = check(routes.searchConversations.query, context.req.query());
      const { items, ...rest } = await conversations().search(query);
      return answer(routes.searchConversations, { results: [...items], ...rest });
    },
    getConversation: async (context) =>
      answer(routes.getConversation, { conversation: await conversations().get(conversationId(context)) }),
    listTasks: async (context) => {
      const query = check(routes.listTasks.query, context.req.query());
      const { items, ...rest } = await conversations().tasks(conversationId(context), query);
      return answer(routes.listTasks, { tasks: [...items], ...rest });
    },
    forkConversation: async (context, signal) => {
      const id = conversationId(context);
      const service = conversations();
      await service.get(id);
      const body = await readBody(context.req.raw, routes.forkConversation.body, {
        clock,
        signal,
        isOptional: true,
      });
      return answer(routes.forkConversation, { conversation: await service.fork(id, body) });
    },
    updateConversation: async (context, signal) => {
      const id = conversationId(context);
      const service = conversations();
      await service.get(id);
      const request = await readBody(context.req.raw, routes.updateConversation.body, { clock, signal });
      return answer(routes.updateConversation, { conversation: await service.update(id, request) });
    },
    exportConversation: async (context) => {
      const id = conversationId(context);
      const service = conversations();
      await service.get(id);
      return linesAnswer(service.exportLines(id), {
        name: id,
        cut: accessSignal(context.get("caller")),
        onFailure: (failure) => {
          const error = failure instanceof Error ? failure.message : String(failure);
          log.error("An export was cut off", { conversationId: id, error });
        },
      });
    },
    importConversation: async (context, signal) => {
      const lines = readLines(context.req.raw, routes.importConversation.bodyLines, { clock, signal });
      return answer(routes.importConversation, { conversation: await conversations().importLines(lines) });
    },
    deleteConversation: async (context) => {
      await conversations().delete(conversationId(context));
      return answer(routes.deleteConversation, { deleted: true });
    },
    listMessages: async (context) => {
      const query = check(routes.listMessages.query, context.req.query());
      const { items, ...rest } = await records().messages(conversationId(context), query);
      return answer(routes.listMessages, { messages: items, ...rest });
    },
    createTurn: async (context, signal) => {
      const id = conversationId(context);
      const service = conversations();
      await service.get(id);
      const { prefer = "", "idempotency-key": idempotencyKey } = check(
        routes.createTurn.headers,
        context.req.header(),
      );
      const body = await readBody(context.req.raw, routes.createTurn.body, { clock, signal });
      const { allow = [], ...request } = body;
      const options = { ...(idempotencyKey === undefined ? {} : { idempotencyKey }), signal };
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
      return streams.open({ id, afterSeq, turnId, cut: accessSignal(context.get("caller")) });
    },
    followEvents: async (context) => {
      const id = conversationId(context);
      const { lastSeq } = await conversations().get(id);
      const { after } = check(routes.followEvents.query, context.req.query());
      const given = context.req.header("last-event-id") ?? after;
      const afterSeq = given === undefined ? lastSeq : eventNumber(given, lastSeq);
      // A HEAD client would never read or close a stream.
      if (context.req.raw.method === "HEAD") return streams.headersAlone();
      const caller = context.get("caller");
      const onEnd = caller?.kind === "ticket" ? caller.end : undefined;
      return streams.open({ id, afterSeq, cut: accessSignal(caller), onEnd });
    },
    stopConversation: async (context) =>
      answer(routes.stopConversation, { stopped: await conversations().stop(conversationId(context)) }),
    getQueue: async (context) =>
      answer(routes.getQueue, { queue: [...(await conversations().queue(conversationId(context)))] }),
    removeQueuedTurn: async (context) => {
      const id = conversationId(context);
      const service = conversations();
      await service.get(id);
      await service.removeQueued(id, queuedTurnId(context));
      return answer(routes.removeQueuedTurn, { queue: [...(await service.queue(id))] });
    },
    resumeConversation: async (context) =>
      answer(routes.resumeConversation, { resumed: await conversations().resume(conversationId(context)) }),
    answerApproval: async (context, signal) => {
      const id = conversationId(context);
      await conversations().get(id);
      const approval = approvalId(context);
      const {
        decision,
        scope,
        unattended = false,
        forFolder = false,
      } = await readBody(context.req.raw, routes.answerApproval.body, { clock, signal });
      // Permissions beyond the conversation require the right to trust the folder.
      const refusal = forFolder
        ? refusalFor({ req: context.req, caller: context.get("caller") }, "owner")
        : undefined;
      if (refusal !== undefined) return refusal;
      await approvals().answerApproval(id, approval, {
        decision,
        ...(scope === undefined ? {} : { scope }),
        ...(unattended ? { isUnattended: true } : {}),
        ...(forFolder ? { isForFolder: true } : {}),
      });
      return answer(routes.answerApproval, { approvalId: approval, decision });
    },
    listAllowed: async (context) => {
      const allowed = await approvals().allowedCalls(conversationId(context));
      return answer(routes.listAllowed, { allowed: [...allowed] });
    },
    takeBackAllowed: async (context) => {
      const id = conversationId(context);
      await conversations().get(id);
      await approvals().takeBackAllowed(id, approvalId(context));
      return answer(routes.takeBackAllowed, { allowed: [...(await approvals().allowedCalls(id))] });
    },
    answerQuestion: async (context, signal) => {
      const id = conversationId(context);
      await conversations().get(id);
      const question = questionId(context);
      const {
        action,
        content,
        unattended = false,
      } = await readBody(context.req.raw, routes.answerQuestion.body, {
        clock,
        signal,
      });
      await need(services.approvals, "way to answer questions").answerQuestion(id, question, {
        action,
        ...(content === undefined ? {} : { content }),
        ...(unattended ? { isUnattended: true } : {}),
      });
      return answer(routes.answerQuestion, { questionId: question, action });
    },
    // Continues after a disconnect, because the client could not learn the outcome.
    compactConversation: async (context, signal) => {
      const body = await readBody(context.req.raw, routes.compactConversation.body, {
        clock,
        signal,
        isOptional: true,
      });
      const { instructions } = body;
      const options = { signal, ...(instructions === undefined ? {} : { instructions }) };
      return answer(routes.compactConversation, await conversations().compact(conversationId(context), options));
    },
    getConversationSystemPrompt: async (context) => {
      const { id } = await conversations().get(conversationId(context));
      return answer(routes.getConversationSystemPrompt, await builder().describe(id));
    },
    explainConversation: async (context) => {
      const { id } = await conversations().get(conversationId(context));
      const explain = await builder().explain(id);
      return answer(routes.explainConversation, {
        explain,
        leftOutTools: [...(await conversations().leftOutTools(id))],
      });
    },
    getDrift: async (context, signal) =>
      answer(routes.getDrift, { drift: await conversations().drift(conversationId(context), { signal }) }),
    // Continues after a disconnect, as compaction does.
    rebuildPrompt: async (context, signal) => {
      const id = conversationId(context);
      const service = conversations();
      await service.get(id);
      const request = await readBody(context.req.raw, routes.rebuildPrompt.body, {
        clock,
        signal,
        isOptional: true,
      });
      const outcome = await service.rebuild(id, request, { signal });
      return answer(routes.rebuildPrompt, { outcome, systemPrompt: await builder().describe(id) });
    },
    listConstructions: async (context) => {
      const { id } = await conversations().get(conversationId(context));
      const page = check(routes.listConstructions.query, context.req.query());
      const { items, ...rest } = await promptHistory().constructions(id, page);
      return answer(routes.listConstructions, { constructions: [...items], ...rest });
    },
    getConstructedText: async (context) => {
      const { id } = await conversations().get(conversationId(context));
      const sha256 = param(context, "sha256");
      const systemPrompt = await promptHistory().constructedText(id, sha256);
      return answer(routes.getConstructedText, { systemPrompt, sha256 });
    },
    getConversationTools: async (context, signal) =>
      answer(routes.getConversationTools, await conversations().tools(conversationId(context), { signal })),
    getToolOutput: async (context) =>
      answer(
        routes.getToolOutput,
        // Models choose these ids, so a NUL is valid.
        await records().toolOutput(conversationId(context), context.req.param("toolCallId") ?? ""),
      ),
    listSteps: async (context) => {
      const page = check(routes.listSteps.query, context.req.query());
      const { items, ...rest } = await records().steps(conversationId(context), page);
      return answer(routes.listSteps, { steps: items, ...rest });
    },
    auditConversation: async (context) => {
      const page = check(routes.auditConversation.query, context.req.query());
      const { items, ...rest } = await records().audit(conversationId(context), page);
      return answer(routes.auditConversation, { steps: [...items], ...rest });
    },
    auditConversations: async (context) => {
      const query = check(routes.auditConversations.query, context.req.query());
      const { items, ...rest } = await records().audits(query);
      return answer(routes.auditConversations, { conversations: [...items], ...rest });
    },
    listCosts: async (context) => {
      const { items, ...rest } = await records().costs(check(routes.listCosts.query, context.req.query()));
      return answer(routes.listCosts, { costs: [...items], ...rest });
    },
    getStepRequest: async (context) =>
      answer(routes.getStepRequest, await records().stepRequest(conversationId(context), param(context, "stepId"))),
  };
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
