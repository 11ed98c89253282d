import type { Extension } from "@incipit/kernel";
import acpClient from "@incipit/acp-client";
import channelDiscord from "@incipit/channel-discord";
import channelTelegram from "@incipit/channel-telegram";
import messaging from "@incipit/messaging";
import attachments from "@incipit/attachments";
import mcp, { offeredTools } from "@incipit/mcp";
import agents from "@incipit/agents";
import providerAnthropic from "@incipit/provider-anthropic";
import providerGoogle from "@incipit/provider-google";
import providerOffline from "@incipit/provider-offline";
import providerOpenai from "@incipit/provider-openai";
import contextFiles from "@incipit/context-files";
import schedules from "@incipit/schedules";
import sessionOrchestrator from "@incipit/session-orchestrator";
import skills from "@incipit/skills";
import storageSqlite from "@incipit/storage-sqlite";
import subagents from "@incipit/subagents";
import systemPrompt from "@incipit/system-prompt";
import telemetryOtlp from "@incipit/telemetry-otlp";
import transportHttp, { webPage } from "@incipit/transport-http";
import workspaceTools from "@incipit/workspace-tools";

/** Each can be disabled by its id. */
export const CORE_EXTENSIONS: readonly Extension[] = [
  storageSqlite,
  agents,
  systemPrompt,
  providerOpenai,
  providerAnthropic,
  providerGoogle,
  providerOffline,
  acpClient,
  workspaceTools,
  mcp,
  offeredTools,
  skills,
  contextFiles,
  subagents,
  telemetryOtlp,
  sessionOrchestrator,
  schedules,
  attachments,
  channelDiscord,
  channelTelegram,
  messaging,
  transportHttp,
  webPage,
];
