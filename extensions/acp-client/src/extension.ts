import { defineExtension, errorMessage, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "acp-client",
    version: "0.1.0",
    api: "^1",
    // The host grants only what the operator's configuration names.
    capabilities: { spawn: true, env: true, storage: true },
    contributes: ["model-providers@1"],
  },
  { configuration },
  async (host, { agents }) => {
    const named = Object.entries(agents);
    if (named.length === 0) return;
    const [{ agentProvider }, { toAgentSettings }] = await Promise.all([
      import("./agent-provider.ts"),
      import("./settings.ts"),
    ]);
    const storage = host.storage("sessions");
    for (const [name, written] of named) {
      const agent = agentProvider(toAgentSettings(name, written), { host, storage });
      host.contribute(modelProvidersPoint, agent.provider);
      host.defer(`agent ${name}`, () => agent.close("all"));
      host.draining.addEventListener("abort", () => host.waitUntil(agent.close("idle")), { once: true });
      agent.sessions.sweep(host.clock.now()).catch((error: unknown) => {
        if (!host.signal.aborted)
          host.log.warn("Cannot check old sessions of agents", { error: errorMessage(error) });
      });
    }
  },
);

export default extension;
