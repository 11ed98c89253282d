import { defineExtension, migrateStorage } from "@incipit/kernel";
import { systemPromptHandle } from "@incipit/service-contract";
import { createSystemPromptService } from "./service.ts";

const version = "0.1.0";

/** Provides the prompt builder. It reads files and git, and writes nothing but its own storage. */
export default defineExtension(
  {
    id: "system-prompt",
    version,
    api: "^1",
    capabilities: { storage: true, fs: true, spawn: ["git"] },
    provides: ["system-prompt@1"],
    reads: ["prompt-variables@1", "prompt-segments@1"],
  },
  async (host) => {
    await migrateStorage(host.storage("system-prompt"), { manifest: { id: host.id, version }, migrations: [] });
    host.provideService(systemPromptHandle, createSystemPromptService(host));
  },
);
