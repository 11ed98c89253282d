import { defineExtension, migrateStorage } from "@incipit/kernel";
import {
  conversationTextsHandle,
  promptHistoryHandle,
  promptTemplatesHandle,
  systemPromptHandle,
} from "@incipit/service-contract";
import { configuration, toSettings } from "./context/configuration.ts";

const version = "0.1.0";

/** Reads files and git; writes only its own storage. */
export default defineExtension(
  {
    id: "system-prompt",
    version,
    api: "^1",
    capabilities: { storage: true, fs: true, spawn: ["git"] },
    dependsOn: { required: ["host-defaults@1"], optional: ["extension-manager@1", "folder-trust@1", "profiles@1"] },
    provides: ["system-prompt@1", "prompt-templates@1", "prompt-history@1", "conversation-texts@1"],
    reads: ["model-providers@1", "prompt-variables@1", "prompt-segments@1"],
  },
  { configuration },
  async (host, values) => {
    // Loaded on start, so that a command that only reads the configuration does not wait for it.
    const [
      { listTemplateFiles },
      { historyFor, promptFor, templatesFor },
      { createLint },
      { createPromptTemplates },
      { createSystemPromptService },
      { ConversationMessages },
      { TemplateStore },
    ] = await Promise.all([
      import("./compose/template-files.ts"),
      import("./for-caller.ts"),
      import("./lint/lint-service.ts"),
      import("./history/prompt-templates.ts"),
      import("./service.ts"),
      import("./stored/conversation-messages.ts"),
      import("./stored/template-store.ts"),
    ]);
    const storage = host.storage("system-prompt");
    await migrateStorage(storage, { manifest: { id: host.id, version }, migrations: [] });
    const templates = new TemplateStore(storage, host.clock);
    const texts = new ConversationMessages(storage);
    const { systemPrompt, promptHistory } = createSystemPromptService(host, {
      templates,
      texts,
      settings: toSettings(values),
    });
    const promptTemplates = {
      ...createPromptTemplates(host, templates),
      lint: createLint(host, systemPrompt),
      files: listTemplateFiles(host),
    };
    host.provideService(systemPromptHandle, systemPrompt, {
      forCaller: (caller) => promptFor(systemPrompt, caller),
    });
    host.provideService(conversationTextsHandle, texts);
    host.provideService(promptHistoryHandle, promptHistory, {
      forCaller: (caller) => historyFor(promptHistory, caller),
    });
    host.provideService(promptTemplatesHandle, promptTemplates, {
      forCaller: (caller) => templatesFor(promptTemplates, caller),
    });
  },
);
