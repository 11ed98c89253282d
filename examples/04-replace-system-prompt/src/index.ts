import { defineExtension, type Extension } from "@incipit/kernel";
import { systemPromptHandle } from "@incipit/service-contract";
import { PlainPrompt } from "./plain-prompt.ts";
import packageJson from "../package.json";

const extension: Extension = defineExtension(packageJson, (host) => {
  host.provideService(systemPromptHandle, new PlainPrompt(host.storage("prompts"), host.clock));
});

export default extension;
