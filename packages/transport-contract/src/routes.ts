import * as z from "zod";
import { answerApprovalRequestSchema, approvalResponseSchema } from "./approval.ts";
import { auditQuerySchema, auditResponseSchema, conversationAuditResponseSchema } from "./audit.ts";
import { exportLineSchema } from "./conversation-export.ts";
import { searchConversationsQuerySchema, searchConversationsResponseSchema } from "./conversation-search.ts";
import {
  chatCompletionChunkSchema,
  chatCompletionRequestSchema,
  chatCompletionSchema,
  chatModelSchema,
  chatModelsResponseSchema,
} from "./chat-completion.ts";
import { explainSchema } from "./explain.ts";
import { conversationIdSchema, sha256Schema, turnIdSchema } from "./ids.ts";
import { modelCallExplainResponseSchema, modelCallResponseSchema, modelCallsResponseSchema } from "./model-call.ts";
import { profilesResponseSchema } from "./profile.ts";
import {
  compactResponseSchema,
  conversationResponseSchema,
  conversationsQuerySchema,
  conversationsResponseSchema,
  createConversationRequestSchema,
  createTurnRequestSchema,
  deletedResponseSchema,
  forkConversationRequestSchema,
  messagesResponseSchema,
  pageQuerySchema,
  queueResponseSchema,
  resumeResponseSchema,
  stepRequestResponseSchema,
  stepsResponseSchema,
  stopResponseSchema,
  turnAcceptedResponseSchema,
  updateConversationRequestSchema,
} from "./conversation.ts";
import {
  addExtensionRequestSchema,
  extensionResponseSchema,
  extensionsResponseSchema,
  removedExtensionResponseSchema,
  swapExtensionRequestSchema,
  swapReportSchema,
} from "./extension.ts";
import { healthResponseSchema, modelsResponseSchema } from "./host-info.ts";
import { lintTemplateRequestSchema, lintTemplateResponseSchema } from "./prompt-lint.ts";
import {
  putTemplateRequestSchema,
  putTemplateResponseSchema,
  templateChangeSchema,
  templateConditionHeadersSchema,
  templateDiffQuerySchema,
  templateDiffResponseSchema,
  templateInForceSchema,
  templateVersionResponseSchema,
  templateVersionsResponseSchema,
} from "./prompt-versions.ts";
import {
  constructedTextResponseSchema,
  promptConstructionsResponseSchema,
  rebuildPromptRequestSchema,
  rebuildPromptResponseSchema,
} from "./prompt-construction.ts";
import { promptDriftResponseSchema } from "./prompt-drift.ts";
import {
  replayRequestSchema,
  replayResponseSchema,
  replaysResponseSchema,
  stepPlaceResponseSchema,
  stepRecordSchema,
} from "./records.ts";
import {
  conversationSystemPromptResponseSchema,
  previewSystemPromptRequestSchema,
  previewSystemPromptResponseSchema,
  systemPromptVariablesResponseSchema,
} from "./system-prompt.ts";
import { conversationToolsResponseSchema, toolOutputResponseSchema } from "./tools.ts";
import { turnEventSchema } from "./turn-event.ts";

export interface Route {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly status: number;
  /** Of a stream: the schema of each event. */
  readonly response: z.ZodType;
  /** One key for each `:name` of the path. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers that change the answer; names in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Answers without the token. */
  readonly isOpen?: true;
  /** Answers with server-sent events: `id` is `seq`, `event` is `type`, `data` is the event as JSON. */
  readonly isStream?: true;
  /** Answers with JSON Lines; `response` is the schema of each. */
  readonly isLines?: true;
  /** Takes JSON Lines in place of a body: the schema of each. */
  readonly bodyLines?: z.ZodType;
  /** Its last parameter takes the rest of the path, slashes and all. */
  readonly takesRest?: true;
  /** Answers with server-sent events when the body has `stream: true`: the schema of each, behind the last one comes `[DONE]`. */
  readonly chunk?: z.ZodType;
  /** Speaks OpenAI's protocol: its errors have that shape, too. */
  readonly isOpenAi?: true;
  /** What a stream answers instead when the request prefers not to wait. */
  readonly asyncAnswer?: { readonly status: number; readonly response: z.ZodType };
}

const conversationParamsSchema = z.object({ id: conversationIdSchema });
const stepParamsSchema = z.object({ id: conversationIdSchema, stepId: z.string() });
const toolOutputParamsSchema = z.object({ id: conversationIdSchema, toolCallId: z.string() });
const approvalParamsSchema = z.object({ id: conversationIdSchema, approvalId: z.string() });
const queuedTurnParamsSchema = z.object({ id: conversationIdSchema, turnId: turnIdSchema });
const templateVersionParamsSchema = z.object({ v: z.string() });
const constructionParamsSchema = z.object({ id: conversationIdSchema, sha256: sha256Schema });
const extensionParamsSchema = z.object({ id: z.string() });
const callParamsSchema = z.object({ id: z.string() });
const chatModelParamsSchema = z.object({ id: z.string() });

/** Where a stream goes on that another one began: the number of the newest event that the caller has. 0: everything. */
const afterSchema = z.string();
const followQuerySchema = z.object({ after: afterSchema.optional() });
/** Wins over the query; browsers send it by themselves when they connect again. */
const followHeadersSchema = z.object({ "last-event-id": afterSchema.optional() });
/** `respond-async`: 202 and the turn's id, in place of the stream (RFC 7240). */
const turnHeadersSchema = z.object({
  prefer: z.string().optional(),
  /** Any text of the client's, new for each message: a send that is repeated with it does not begin another turn. */
  "idempotency-key": z.string().min(1).max(255).optional(),
});

const explainResponseSchema = z.object({ explain: explainSchema.nullable() });
const openApiResponseSchema = z.looseObject({ openapi: z.string() });

/** Every route of the HTTP API. Server, client and OpenAPI document are made from it. */
export const routes = {
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Whether the host is well",
    status: 200,
    response: healthResponseSchema,
    isOpen: true,
  },
  getSystemPrompt: {
    method: "GET",
    path: "/system-prompt",
    summary: "The template in force; its `ETag` is for `If-Match`",
    status: 200,
    response: templateInForceSchema,
  },
  setSystemPrompt: {
    method: "PUT",
    path: "/system-prompt",
    summary: "Store a template, as a new version",
    status: 200,
    headers: templateConditionHeadersSchema,
    body: putTemplateRequestSchema,
    response: putTemplateResponseSchema,
  },
  deleteSystemPrompt: {
    method: "DELETE",
    path: "/system-prompt",
    summary: "Take the stored template away; its versions stay",
    status: 200,
    query: templateChangeSchema,
    headers: templateConditionHeadersSchema,
    response: templateInForceSchema,
  },
  lintTemplate: {
    method: "POST",
    path: "/system-prompt/lint",
    summary: "What is likely not meant in a template; nothing is stored",
    status: 200,
    body: lintTemplateRequestSchema,
    response: lintTemplateResponseSchema,
  },
  listTemplateVersions: {
    method: "GET",
    path: "/system-prompt/versions",
    summary: "What the stored template has been, newest first",
    status: 200,
    query: pageQuerySchema,
    response: templateVersionsResponseSchema,
  },
  getTemplateVersion: {
    method: "GET",
    path: "/system-prompt/versions/:v",
    params: templateVersionParamsSchema,
    summary: "One version with its text",
    status: 200,
    response: templateVersionResponseSchema,
  },
  diffTemplateVersions: {
    method: "GET",
    path: "/system-prompt/versions/:v/diff",
    params: templateVersionParamsSchema,
    summary: "What made it of the version before, or of another one",
    status: 200,
    query: templateDiffQuerySchema,
    response: templateDiffResponseSchema,
  },
  restoreTemplateVersion: {
    method: "POST",
    path: "/system-prompt/versions/:v/restore",
    params: templateVersionParamsSchema,
    summary: "Store what a version was, as a new one",
    status: 200,
    headers: templateConditionHeadersSchema,
    body: templateChangeSchema,
    response: templateInForceSchema,
  },
  getSystemPromptVariables: {
    method: "GET",
    path: "/system-prompt/variables",
    summary: "The variables of templates",
    status: 200,
    response: systemPromptVariablesResponseSchema,
  },
  previewSystemPrompt: {
    method: "POST",
    path: "/system-prompt/preview",
    summary: "What a conversation would be told; nothing is stored",
    status: 200,
    body: previewSystemPromptRequestSchema,
    response: previewSystemPromptResponseSchema,
  },
  listModels: {
    method: "GET",
    path: "/models",
    summary: "The models that are configured",
    status: 200,
    response: modelsResponseSchema,
  },
  listProfiles: {
    method: "GET",
    path: "/profiles",
    summary: "The profiles of the configuration",
    status: 200,
    response: profilesResponseSchema,
  },
  createChatCompletion: {
    method: "POST",
    path: "/v1/chat/completions",
    summary: "Call a model as OpenAI's clients do; the id of its record is in the header `x-incipit-call-id`",
    status: 200,
    body: chatCompletionRequestSchema,
    response: chatCompletionSchema,
    chunk: chatCompletionChunkSchema,
    isOpenAi: true,
  },
  listChatModels: {
    method: "GET",
    path: "/v1/models",
    summary: "The models, as OpenAI's clients list them",
    status: 200,
    response: chatModelsResponseSchema,
    isOpenAi: true,
  },
  getChatModel: {
    method: "GET",
    path: "/v1/models/:id",
    params: chatModelParamsSchema,
    takesRest: true,
    summary: "One model, as OpenAI's clients ask for it",
    status: 200,
    response: chatModelSchema,
    isOpenAi: true,
  },
  listCalls: {
    method: "GET",
    path: "/calls",
    summary: "Model calls without a conversation, newest first",
    status: 200,
    query: pageQuerySchema,
    response: modelCallsResponseSchema,
  },
  getCall: {
    method: "GET",
    path: "/calls/:id",
    params: callParamsSchema,
    summary: "The record of a model call",
    status: 200,
    response: modelCallResponseSchema,
  },
  getCallRequest: {
    method: "GET",
    path: "/calls/:id/request",
    params: callParamsSchema,
    summary: "The exact request of a model call",
    status: 200,
    response: stepRequestResponseSchema,
  },
  explainCall: {
    method: "GET",
    path: "/calls/:id/explain",
    params: callParamsSchema,
    summary: "The system texts of a model call, and where each part of them came from",
    status: 200,
    response: modelCallExplainResponseSchema,
  },
  createConversation: {
    method: "POST",
    path: "/conversations",
    summary: "Begin a conversation",
    status: 201,
    body: createConversationRequestSchema,
    response: conversationResponseSchema,
  },
  listConversations: {
    method: "GET",
    path: "/conversations",
    summary: "Conversations, newest first; those that are archived only where `archived` asks for them",
    status: 200,
    query: conversationsQuerySchema,
    response: conversationsResponseSchema,
  },
  // In front of the routes with `:id`, which would take the word for one.
  searchConversations: {
    method: "GET",
    path: "/conversations/search",
    summary: "Conversations with all of the words in their title or in one message, newest first",
    status: 200,
    query: searchConversationsQuerySchema,
    response: searchConversationsResponseSchema,
  },
  getConversation: {
    method: "GET",
    path: "/conversations/:id",
    params: conversationParamsSchema,
    summary: "One conversation",
    status: 200,
    response: conversationResponseSchema,
  },
  forkConversation: {
    method: "POST",
    path: "/conversations/:id/fork",
    params: conversationParamsSchema,
    summary: "Begin a conversation with the same prompt and messages, up to one of them",
    status: 201,
    body: forkConversationRequestSchema,
    response: conversationResponseSchema,
  },
  updateConversation: {
    method: "PATCH",
    path: "/conversations/:id",
    params: conversationParamsSchema,
    summary: "Give it a title, archive it or bring it back",
    status: 200,
    body: updateConversationRequestSchema,
    response: conversationResponseSchema,
  },
  exportConversation: {
    method: "GET",
    path: "/conversations/:id/export",
    params: conversationParamsSchema,
    summary: "Everything that is kept of a conversation, as JSON Lines",
    status: 200,
    response: exportLineSchema,
    isLines: true,
  },
  importConversation: {
    method: "POST",
    path: "/conversations/import",
    summary: "Keep a conversation that was exported, here or elsewhere, with its id",
    status: 201,
    bodyLines: exportLineSchema,
    response: conversationResponseSchema,
  },
  deleteConversation: {
    method: "DELETE",
    path: "/conversations/:id",
    params: conversationParamsSchema,
    summary: "Stop what runs there, and delete all that is stored of it",
    status: 200,
    response: deletedResponseSchema,
  },
  listMessages: {
    method: "GET",
    path: "/conversations/:id/messages",
    params: conversationParamsSchema,
    summary: "Its messages, oldest first",
    status: 200,
    query: pageQuerySchema,
    response: messagesResponseSchema,
  },
  createTurn: {
    method: "POST",
    path: "/conversations/:id/turns",
    params: conversationParamsSchema,
    status: 200,
    summary: "Send a message and follow its turn; with `Prefer: respond-async` 202 and the turn's id",
    headers: turnHeadersSchema,
    body: createTurnRequestSchema,
    response: turnEventSchema,
    isStream: true,
    asyncAnswer: { status: 202, response: turnAcceptedResponseSchema },
  },
  followEvents: {
    method: "GET",
    path: "/conversations/:id/events",
    params: conversationParamsSchema,
    summary: "Its events, from a number on, then live",
    status: 200,
    query: followQuerySchema,
    headers: followHeadersSchema,
    response: turnEventSchema,
    isStream: true,
  },
  stopConversation: {
    method: "POST",
    path: "/conversations/:id/stop",
    params: conversationParamsSchema,
    summary: "Stop the running turn",
    status: 200,
    response: stopResponseSchema,
  },
  getQueue: {
    method: "GET",
    path: "/conversations/:id/queue",
    params: conversationParamsSchema,
    summary: "The turns that wait, the next one first",
    status: 200,
    response: queueResponseSchema,
  },
  removeQueuedTurn: {
    method: "DELETE",
    path: "/conversations/:id/queue/:turnId",
    params: queuedTurnParamsSchema,
    summary: "Take a turn that waits out of the queue; answers with what is left",
    status: 200,
    response: queueResponseSchema,
  },
  resumeConversation: {
    method: "POST",
    path: "/conversations/:id/resume",
    params: conversationParamsSchema,
    summary: "Let the turns run that wait since the start of the host",
    status: 200,
    response: resumeResponseSchema,
  },
  answerApproval: {
    method: "POST",
    path: "/conversations/:id/approvals/:approvalId",
    params: approvalParamsSchema,
    summary: "Allow or deny a tool call that waits for it",
    status: 200,
    body: answerApprovalRequestSchema,
    response: approvalResponseSchema,
  },
  compactConversation: {
    method: "POST",
    path: "/conversations/:id/compact",
    params: conversationParamsSchema,
    summary: "Replace the history by a summary and the prompt by a fresh one",
    status: 200,
    response: compactResponseSchema,
  },
  getConversationSystemPrompt: {
    method: "GET",
    path: "/conversations/:id/system-prompt",
    params: conversationParamsSchema,
    summary: "The prompt that is kept and sent",
    status: 200,
    response: conversationSystemPromptResponseSchema,
  },
  explainConversation: {
    method: "GET",
    path: "/conversations/:id/explain",
    params: conversationParamsSchema,
    summary: "Where each part of the kept prompt came from",
    status: 200,
    response: explainResponseSchema,
  },
  getDrift: {
    method: "GET",
    path: "/conversations/:id/drift",
    params: conversationParamsSchema,
    summary: "What construction would give now against the kept prompt, why, and what a rebuild costs",
    status: 200,
    response: promptDriftResponseSchema,
  },
  rebuildPrompt: {
    method: "POST",
    path: "/conversations/:id/rebuild",
    params: conversationParamsSchema,
    summary: "Construct the prompt anew, because a person asks for it; 409 while a turn runs",
    status: 200,
    body: rebuildPromptRequestSchema,
    response: rebuildPromptResponseSchema,
  },
  listConstructions: {
    method: "GET",
    path: "/conversations/:id/system-prompt/constructions",
    params: conversationParamsSchema,
    summary: "Every prompt that it had, oldest first",
    status: 200,
    query: pageQuerySchema,
    response: promptConstructionsResponseSchema,
  },
  getConstructedText: {
    method: "GET",
    path: "/conversations/:id/system-prompt/constructions/:sha256",
    params: constructionParamsSchema,
    summary: "The text of one of them",
    status: 200,
    response: constructedTextResponseSchema,
  },
  getConversationTools: {
    method: "GET",
    path: "/conversations/:id/tools",
    params: conversationParamsSchema,
    summary: "The tools that its requests name, and what the next epoch would change",
    status: 200,
    response: conversationToolsResponseSchema,
  },
  getToolOutput: {
    method: "GET",
    path: "/conversations/:id/tool-outputs/:toolCallId",
    params: toolOutputParamsSchema,
    summary: "What a tool gave for a call of which the model got the beginning",
    status: 200,
    response: toolOutputResponseSchema,
  },
  listSteps: {
    method: "GET",
    path: "/conversations/:id/steps",
    params: conversationParamsSchema,
    summary: "Its model calls, oldest first",
    status: 200,
    query: pageQuerySchema,
    response: stepsResponseSchema,
  },
  getStepRequest: {
    method: "GET",
    path: "/conversations/:id/steps/:stepId/request",
    params: stepParamsSchema,
    summary: "The exact request of a model call",
    status: 200,
    response: stepRequestResponseSchema,
  },
  auditConversation: {
    method: "GET",
    path: "/conversations/:id/audit",
    params: conversationParamsSchema,
    summary: "Its model calls, oldest first: whether each began as the one before, what broke it, what it cost",
    status: 200,
    query: pageQuerySchema,
    response: conversationAuditResponseSchema,
  },
  auditConversations: {
    method: "GET",
    path: "/audit",
    summary: "The conversations, newest first, with the sums of their audits",
    status: 200,
    query: auditQuerySchema,
    response: auditResponseSchema,
  },
  findStep: {
    method: "GET",
    path: "/steps/:stepId",
    params: z.object({ stepId: z.string() }),
    summary: "Which conversation a recorded step belongs to",
    status: 200,
    response: stepPlaceResponseSchema,
  },
  getStepRecord: {
    method: "GET",
    path: "/conversations/:id/steps/:stepId/record",
    params: stepParamsSchema,
    summary: "All that is kept of a model call, without the secrets in it",
    status: 200,
    response: stepRecordSchema,
  },
  replayStep: {
    method: "POST",
    path: "/conversations/:id/steps/:stepId/replay",
    params: stepParamsSchema,
    summary: "Give another model what a step was given, and compare the two answers",
    status: 200,
    body: replayRequestSchema,
    response: replayResponseSchema,
  },
  listReplays: {
    method: "GET",
    path: "/conversations/:id/steps/:stepId/replays",
    params: stepParamsSchema,
    summary: "Its replays, oldest first",
    status: 200,
    response: replaysResponseSchema,
  },
  listExtensions: {
    method: "GET",
    path: "/extensions",
    summary: "The extensions and how they are",
    status: 200,
    response: extensionsResponseSchema,
  },
  addExtension: {
    method: "POST",
    path: "/extensions",
    summary: "Add an extension from a folder, with what it is granted",
    status: 201,
    body: addExtensionRequestSchema,
    response: extensionResponseSchema,
  },
  getExtension: {
    method: "GET",
    path: "/extensions/:id",
    params: extensionParamsSchema,
    summary: "An extension and how it is",
    status: 200,
    response: extensionResponseSchema,
  },
  removeExtension: {
    method: "DELETE",
    path: "/extensions/:id",
    params: extensionParamsSchema,
    summary: "Unload an extension of a folder, and forget it and its grant",
    status: 200,
    response: removedExtensionResponseSchema,
  },
  deleteExtensionData: {
    method: "DELETE",
    path: "/extensions/:id/data",
    params: extensionParamsSchema,
    summary: "Delete what was stored under the id of an extension that is not there",
    status: 200,
    response: deletedResponseSchema,
  },
  swapExtension: {
    method: "POST",
    path: "/extensions/:id/swap",
    params: extensionParamsSchema,
    summary: "Let another generation of an extension take over; answers when the old one is over",
    status: 200,
    body: swapExtensionRequestSchema,
    response: swapReportSchema,
  },
  loadExtension: {
    method: "POST",
    path: "/extensions/:id/load",
    params: extensionParamsSchema,
    summary: "Start an extension",
    status: 200,
    response: extensionResponseSchema,
  },
  unloadExtension: {
    method: "POST",
    path: "/extensions/:id/unload",
    params: extensionParamsSchema,
    summary: "Stop an extension",
    status: 200,
    response: extensionResponseSchema,
  },
  getOpenApi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This document",
    status: 200,
    response: openApiResponseSchema,
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
