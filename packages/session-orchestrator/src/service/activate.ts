import { errorMessage, migrateStorage, type Host, type ValuesOf } from "@incipit/kernel";
import { Redactor } from "@incipit/redaction";
import { grantWarning } from "@incipit/schema";
import {
  approvalsHandle,
  clientConversationsHandle,
  commandsHandle,
  conversationRecordsHandle,
  conversationsHandle,
  folderGrantsHandle,
  hostDefaultsHandle,
  modelCallsHandle,
  modelProvidersPoint,
  stepRecordsHandle,
  storageErasureHandle,
  conversationTextsHandle,
  fileChangesHandle,
  messageFilesHandle,
  profilesHandle,
  promptHistoryHandle,
  systemPromptHandle,
  toolSourcesPoint,
  toolsPoint,
  workObserversPoint,
  workspaceFilesHandle,
} from "@incipit/service-contract";
import { conversationHandoffHandle, handoffConversations } from "./handoff.ts";
import { approvalsFor, conversationsFor, modelCallsFor } from "./for-caller.ts";
import { ClientConversations } from "../client-conversations/client-conversations.ts";
import { SendableFiles } from "../files/sendable-files.ts";
import { ContextWindows } from "../models/context-windows.ts";
import { DeferredLists } from "../lookup/deferred-lists.ts";
import { HostStart } from "../waits/host-start.ts";
import { readDeferredTools } from "../store/deferred-tools.ts";
import { StepRecords } from "../replay/step-records.ts";
import { ConversationRecords } from "../conversations/conversation-records.ts";
import { Conversations } from "./service.ts";
import { LiveRedactor, type OrchestratorContext } from "../context/orchestrator-context.ts";
import { secretsSchema, toSettings, type configuration } from "../context/configuration.ts";
import { WorkObservers } from "../context/work-observers.ts";
import { pruneDays } from "../spending/spend-limits.ts";
import { ModelCalls } from "../stateless/model-calls.ts";

const version = "0.1.0";

export async function activate(host: Host, values: ValuesOf<typeof configuration>): Promise<void> {
  const storage = host.storage("conversations");
  const before = host.predecessor(conversationHandoffHandle);
  // Wait for the previous generation's recovery: its queued calls would otherwise run concurrently with this
  // generation.
  await before.current?.settled();
  await migrateStorage(storage, { manifest: { id: host.id, version }, migrations: [] });
  const settings = toSettings(values);
  for (const grant of settings.allow) {
    const warning = grantWarning(grant);
    if (warning !== undefined) host.log.warn(`"${grant}" in [approvals] allow ${warning}`);
  }
  const byShape = await Redactor.create({ secrets: [], patterns: values.redact });
  const redactor = new LiveRedactor(byShape, () => host.config(secretsSchema).secrets);
  const context: OrchestratorContext = {
    fs: host.fs,
    storage,
    clock: host.clock,
    log: host.log,
    settings,
    defaults: host.getService(hostDefaultsHandle).get(),
    get redactor() {
      return redactor.current;
    },
    start: new HostStart(host.started, host.clock),
    windows: new ContextWindows(host),
    files: new SendableFiles(),
    observers: new WorkObservers(host.contributions(workObserversPoint), {
      log: host.log,
      redactor,
      hasContent: settings.observeContent,
    }),
    waitUntil: (work) => host.waitUntil(work),
    providers: host.contributions(modelProvidersPoint),
    tools: host.contributions(toolsPoint),
    toolSources: host.contributions(toolSourcesPoint),
    deferredLists: new DeferredLists((sha256) => readDeferredTools(storage, sha256)),
    systemPrompt: host.getService(systemPromptHandle),
    profiles: host.getService(profilesHandle),
    commands: host.getService(commandsHandle),
    promptHistory: host.getService(promptHistoryHandle),
    conversationTexts: host.getService(conversationTextsHandle),
    workspaceFiles: host.getService(workspaceFilesHandle),
    folderGrants: host.getService(folderGrantsHandle),
    erasure: host.getService(storageErasureHandle),
  };
  const conversations = new Conversations(context);
  const calls = new ModelCalls(context);
  // A draining predecessor finishes its own work.
  if (before.current === undefined) {
    await conversations.recover({ isStart: true });
    await calls.recover();
  }
  const clientConversations = new ClientConversations(host.storage("client-conversations"), host.clock);
  host.waitUntil(
    clientConversations.recover().catch((error: unknown) =>
      host.log.error("Cannot delete the remains of deleted client conversations", {
        error: errorMessage(error),
      }),
    ),
  );
  host.waitUntil(pruneDays(context));
  void conversations.limitRecords({ isAlone: () => before.current === undefined });
  host.draining.addEventListener("abort", () => conversations.beginDraining(), { once: true });
  host.defer("running calls", () => calls.stopAll());
  host.defer("running turns", () => conversations.stopAll());
  const handedOver = handoffConversations(conversations, before, (error) =>
    host.log.error("What the generation before left could not be taken up", {
      error: errorMessage(error),
    }),
  );
  host.provideService(conversationsHandle, handedOver, {
    forCaller: (caller) => conversationsFor(handedOver, caller),
  });
  host.provideService(conversationRecordsHandle, new ConversationRecords(context));
  host.provideService(fileChangesHandle, handedOver);
  host.provideService(messageFilesHandle, handedOver);
  host.provideService(approvalsHandle, handedOver, { forCaller: (caller) => approvalsFor(handedOver, caller) });
  host.provideService(clientConversationsHandle, clientConversations);
  host.provideService(modelCallsHandle, calls, { forCaller: (caller) => modelCallsFor(calls, caller) });
  host.provideService(stepRecordsHandle, new StepRecords(context, calls));
  host.provideService(conversationHandoffHandle, conversations);
}
