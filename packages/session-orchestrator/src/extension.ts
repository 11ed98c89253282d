import { defineExtension, type Extension } from "@incipit/kernel";
import {
  conversationsHandle,
  modelProvidersPoint,
  systemPromptHandle,
  toolsPoint,
} from "@incipit/service-contract";
import { Conversations } from "./service.ts";
import { settingsSchema } from "./settings.ts";

const extension: Extension = defineExtension(
  {
    id: "session-orchestrator",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true },
    dependsOn: { optional: ["system-prompt@1"] },
    provides: ["conversations@1"],
    reads: ["model-providers@1", "tools@1"],
  },
  async (host) => {
    const conversations = new Conversations({
      storage: host.storage("conversations"),
      clock: host.clock,
      log: host.log,
      settings: host.config(settingsSchema),
      providers: host.contributions(modelProvidersPoint),
      tools: host.contributions(toolsPoint),
      systemPrompt: host.getService(systemPromptHandle),
    });
    await conversations.recover();
    host.defer("running turns", () => conversations.stopAll());
    host.provideService(conversationsHandle, conversations);
  },
);

export default extension;
