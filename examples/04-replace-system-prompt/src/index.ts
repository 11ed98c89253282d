import { defineExtension, type Extension } from "@incipit/kernel";
import { systemPromptHandle } from "@incipit/service-contract";
import { PlainPrompt } from "./plain-prompt.ts";

const extension: Extension = defineExtension(
  {
    id: "acme.plain-prompt",
    version: "1.0.0",
    api: "^1",
    capabilities: { storage: true },
    provides: ["system-prompt@1"],
  },
  (host) => {
    host.provideService(systemPromptHandle, new PlainPrompt(host.storage("prompts"), host.clock));
  },
);

export default extension;
