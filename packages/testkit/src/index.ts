export { recordedAgent, type ReceivedMessage, type RecordedAgent } from "./acp-agent/recorded-agent.ts";
export { mutatedAgent } from "./acp-agent/mutated-agent.ts";
export { mutatedEditor } from "./acp-agent/mutated-editor.ts";
export { FakeClock } from "@incipit/kernel";
export { brokenRules } from "./families/broken-rules.ts";
export { familyNames, type FamilyName } from "./families/family-name.ts";
export { questionCases, type QuestionCase, type QuestionSurface } from "./questions/question-cases.ts";
export {
  openChannel,
  type ChannelServer,
  type ChannelSetup,
  type OpenChannelOptions,
  type OpenedChannel,
} from "./channels/open-channel.ts";
export { TestInbox } from "./channels/test-inbox.ts";
export { startScriptedHttpServer, type ScriptedHttpServer } from "./mcp/scripted-http-server.ts";
export { mutatedMcpScript } from "./mcp/mutated-script.ts";
export { fuzzRuns } from "./runs/fuzz-runs.ts";
export { mcpWires, type McpWire } from "./mcp/mcp-script.ts";
export type { McpQuirk } from "./quirks/mcp-quirk.ts";
export { mcpQuirks } from "./quirks/mcp-quirks.ts";
export { mcpRefusalQuirks } from "./quirks/mcp-refusal-quirks.ts";
export { SignInServer, type SignInServerOptions } from "./mcp/sign-in-server.ts";
export { TestService, type Deliver, type SentMessage, type TestServiceOptions } from "./channels/test-service.ts";
export { chatRequestProblems } from "./model-server/openai/chat-request-problems.ts";
export {
  startExtension,
  type LogEntry,
  type StartedExtension,
  type StartExtensionOptions,
} from "./worlds/extension-host.ts";
export {
  acpAgentQuirks,
  validAcpScript,
  type AcpAgentQuirk,
  type AcpAgentScript,
} from "./quirks/acp-agent-quirks.ts";
export { acpEditorQuirks, type AcpEditorQuirk } from "./quirks/acp-editor-quirks.ts";
export { commandQuirks } from "./quirks/command-quirks.ts";
export { lookupQuirks } from "./quirks/lookup-quirks.ts";
export { toolQuirks, type ToolQuirk } from "./quirks/tool-quirks.ts";
export { quirksOf } from "./quirks/all-quirks.ts";
export { replyQuirks, taskFileQuirks, type ReplyQuirk, type TaskFileQuirk } from "./quirks/heartbeat-quirks.ts";
export { frontMatterQuirks, type FrontMatterQuirk } from "./quirks/front-matter-quirks.ts";
export { mediaLineQuirks, type MediaLineQuirk } from "./quirks/media-line-quirks.ts";
export { splitQuirks, type SplitQuirk } from "./quirks/split-quirks.ts";
export { telegramAlbumQuirks, telegramSendQuirks, type TelegramSendQuirk } from "./quirks/telegram-chat-quirks.ts";
export { telegramUpdateQuirks, type TelegramUpdateQuirk } from "./quirks/telegram-update-quirks.ts";
export { tildeQuirks } from "./quirks/tilde-quirks.ts";
export { discordMessageQuirks, type DiscordMessageQuirk } from "./quirks/discord-message-quirks.ts";
export { damagedJson } from "./runs/damaged-json.ts";
export { generatedRuns } from "./runs/generated-runs.ts";
export type { Reported } from "./quirks/reported.ts";
export { providerQuirks } from "./quirks/provider-quirks.ts";
export type { Quirk } from "./quirks/quirk.ts";
export { createGitRepository, type GitRepository } from "./worlds/git-repository.ts";
export { shareCount, currentSample, sampleOf, sampleCount, type RunShare } from "./runs/run-share.ts";
export { createMemoryStorage } from "./worlds/memory-storage.ts";
export {
  agentConformance,
  type AgentConformanceOptions,
  type AgentPromise,
} from "./conformance/agent-conformance.ts";
export type { AgentUnderTest } from "./conformance/agent-world.ts";
export {
  channelConformance,
  type ChannelConformanceOptions,
  type ChannelPromise,
} from "./conformance/channel-conformance.ts";
export type { ChannelMishap, ChannelService, ChannelWriter, TakenMessage } from "./conformance/channel-world.ts";
export {
  promptSegmentConformance,
  type PromptSegmentConformanceOptions,
  type PromptSegmentPromise,
} from "./conformance/prompt-segments-conformance.ts";
export {
  promptVariablesConformance,
  type PromptVariablesConformanceOptions,
  type PromptVariablesPromise,
} from "./conformance/prompt-variables-conformance.ts";
export {
  providerConformance,
  type ProviderConformanceOptions,
  type ProviderPromise,
  type ProviderWorldOptions,
} from "./conformance/provider-conformance.ts";
export {
  storageConformance,
  type StorageConformanceOptions,
  type StoragePromise,
} from "./conformance/storage-conformance.ts";
export {
  RecordingModelServer,
  startRecordingModelServer,
  type RecordingModelServerOptions,
} from "./model-server/recording-model-server.ts";
export type { RecordedRequest } from "./model-server/recorded-request.ts";
export {
  RecordingProxy,
  startRecordingProxy,
  type ProxiedRequest,
  type RecordingProxyOptions,
} from "./worlds/recording-proxy.ts";
export type { ModelReply, ReplyUsage } from "./model-server/wire/model-reply.ts";
export type { WireName } from "./model-server/wire/wire-format.ts";
export { anthropicRequestProblems } from "./model-server/anthropic/anthropic-request-problems.ts";
export { responsesEventTypes } from "./model-server/openai/responses-event-types.ts";
export { geminiRequestProblems } from "./model-server/gemini/gemini-request-problems.ts";
export { responsesRequestProblems } from "./model-server/openai/openai-responses-request-problems.ts";
export type { BotPress, SentFile } from "./bot-server/bot-person.ts";
export {
  RecordingBotServer,
  type BotFault,
  type RecordedBotCall,
  type RecordingBotServerOptions,
} from "./bot-server/recording-bot-server.ts";
export type { DiscordInteraction } from "./discord-server/discord-interactions.ts";
export type { DiscordSentFile } from "./discord-server/discord-person.ts";
export {
  RecordingDiscordServer,
  type DiscordFault,
  type RecordedDiscordCall,
  type RecordingDiscordServerOptions,
} from "./discord-server/recording-discord-server.ts";
export type { TestFiles } from "./worlds/test-files.ts";
export type { TestFetch } from "./worlds/test-net.ts";
export { exportedConversation, saidMessage, type ExportedMessage } from "./worlds/exported-conversation.ts";
export { answerText } from "./worlds/answer-text.ts";
export { createTempFolder, type TempFolder } from "./worlds/temp-folder.ts";
export {
  mergeDeltas,
  numberProblems,
  type MergedDelta,
  type MergedEvent,
} from "./conformance/turn-event-sequence.ts";
export { toolConformance, type ToolConformanceOptions, type ToolPromise } from "./conformance/tool-conformance.ts";
export { advanceUntilIdle } from "./worlds/advance-until-idle.ts";
export { answeringModel, tenCents, type Answer } from "./worlds/answering-model.ts";
export { cutAfter, type CutStorage } from "./worlds/cut-after.ts";
export { saidIn } from "./worlds/user-messages.ts";
export { modelRequest, replyMessage, socketNet, userMessage } from "./worlds/model-call.ts";
export { fillableDisk } from "./worlds/fillable-disk.ts";
export { toolbox, toolsOf } from "./worlds/toolbox.ts";
export { elicitingTool } from "./questions/eliciting-tool.ts";
