import { defineExtension, type Extension } from "@incipit/kernel";
import { configuration } from "./context/configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "session-orchestrator",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true, fs: { read: ["$cwd"] } },
    dependsOn: {
      required: ["host-defaults@1"],
      optional: [
        "storage-erasure@1",
        "commands@1",
        "profiles@1",
        "system-prompt@1",
        "prompt-history@1",
        "conversation-texts@1",
        "workspace-files@1",
        "folder-grants@1",
      ],
    },
    provides: [
      "conversations@1",
      "conversation-records@1",
      "approvals@1",
      "file-changes@1",
      "message-files@1",
      "conversation-hand-over@1",
      "model-calls@1",
      "client-conversations@1",
      "step-records@1",
    ],
    reads: ["model-providers@1", "tools@1", "tool-sources@1", "work-observers@1"],
  },
  { configuration },
  async (host, values) => {
    // Imported on activation, so that commands that only read the configuration load faster.
    const { activate } = await import("./service/activate.ts");
    await activate(host, values);
  },
);

export default extension;
