import type { RouteName } from "@incipit/transport-contract";
import { callExamples } from "./examples/call-examples.ts";
import { channelExamples } from "./examples/channel-examples.ts";
import { chatExamples } from "./examples/chat-examples.ts";
import { clientConversationExamples } from "./examples/client-conversation-examples.ts";
import { conversationExamples } from "./examples/conversation-examples.ts";
import { extensionExamples } from "./examples/extension-examples.ts";
import { fileChangeExamples } from "./examples/file-change-examples.ts";
import { hostExamples } from "./examples/host-examples.ts";
import { messageExamples } from "./examples/message-examples.ts";
import { pageExamples } from "./examples/page-examples.ts";
import { profileExamples } from "./examples/profile-examples.ts";
import { promptExamples } from "./examples/prompt-examples.ts";
import { recordExamples } from "./examples/record-examples.ts";
import type { RouteExample } from "./examples/route-example.ts";
import { heartbeatExamples } from "./examples/heartbeat-examples.ts";
import { responseExamples } from "./examples/response-examples.ts";
import { scheduleExamples } from "./examples/schedule-examples.ts";
import { unattendedExamples } from "./examples/unattended-examples.ts";
import { skillExamples } from "./examples/skill-examples.ts";
import { templateExamples } from "./examples/template-examples.ts";
import { tokenExamples } from "./examples/token-examples.ts";
import { turnExamples } from "./examples/turn-examples.ts";

export const examples: { readonly [Name in RouteName]: RouteExample<Name> } = {
  ...hostExamples,
  ...pageExamples,
  ...templateExamples,
  ...chatExamples,
  ...messageExamples,
  ...responseExamples,
  ...clientConversationExamples,
  ...callExamples,
  ...conversationExamples,
  ...turnExamples,
  ...fileChangeExamples,
  ...profileExamples,
  ...skillExamples,
  ...promptExamples,
  ...recordExamples,
  ...heartbeatExamples,
  ...scheduleExamples,
  ...unattendedExamples,
  ...channelExamples,
  ...extensionExamples,
  ...tokenExamples,
};

export interface Topic {
  readonly name: string;
  readonly description: string;
  readonly examples: object;
}

/** In the order in which users need them. */
export const topics: readonly Topic[] = [
  {
    name: "Conversations",
    description: "Begin, list, search, change and move conversations",
    examples: conversationExamples,
  },
  {
    name: "Turns",
    description: "Send messages, follow events, and answer approvals and questions",
    examples: turnExamples,
  },
  {
    name: "Files",
    description: "File changes by tools, and restoring them",
    examples: fileChangeExamples,
  },
  {
    name: "Prompts",
    description: "The system prompt that a conversation keeps, and where it came from",
    examples: promptExamples,
  },
  {
    name: "Profiles",
    description: "Named agents: of a folder's files, of the user's and of the configuration",
    examples: profileExamples,
  },
  {
    name: "Skills",
    description: "Skills, which models open on demand, and commands, which users send by name",
    examples: skillExamples,
  },
  {
    name: "Records",
    description: "Exact requests, costs and cache breaks of model calls",
    examples: recordExamples,
  },
  {
    name: "Schedules",
    description: "Schedules and the heartbeat, and their runs",
    examples: scheduleExamples,
  },
  {
    name: "Heartbeat",
    description: "Wake a model now and then, which looks whether something needs attention",
    examples: heartbeatExamples,
  },
  {
    name: "Unattended",
    description: "Budgets of autonomous runs",
    examples: unattendedExamples,
  },
  {
    name: "Channels",
    description: "The messaging gateway: channels such as Telegram, paired people, and message delivery",
    examples: channelExamples,
  },
  {
    name: "Template",
    description: "The template that system prompts are made from, with its versions",
    examples: templateExamples,
  },
  {
    name: "OpenAI",
    description: "The shapes of OpenAI's chat completions, for clients that speak them",
    examples: chatExamples,
  },
  {
    name: "Responses",
    description: "The shapes of OpenAI's responses, and of the conversations that clients have them in",
    examples: { ...responseExamples, ...clientConversationExamples },
  },
  {
    name: "Anthropic",
    description: "The shapes of Anthropic's messages, for clients that speak them",
    examples: messageExamples,
  },
  { name: "Calls", description: "Model calls without a conversation", examples: callExamples },
  { name: "Host", description: "How the host is, and which models it has", examples: hostExamples },
  { name: "Extensions", description: "Add, start, stop and swap extensions", examples: extensionExamples },
  {
    name: "Tokens",
    description: "Make tokens that can do less than the host's own, and take them back",
    examples: tokenExamples,
  },
  { name: "Sign-in", description: "How a browser is let in to the host's own page", examples: pageExamples },
];
