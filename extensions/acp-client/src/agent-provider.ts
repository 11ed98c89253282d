import type { Host, Storage } from "@incipit/kernel";
import { ProgramSecrets } from "@incipit/redaction";
import type { ModelEvent, ModelProvider, ModelRequest } from "@incipit/service-contract";
import type { AgentPool } from "./agent-pool.ts";
import { programHash, type AgentSettings } from "./settings.ts";
import { StoredSessions } from "./stored-session.ts";

export interface ProvidingAgent {
  readonly provider: ModelProvider;
  readonly sessions: StoredSessions;
  close(which: "idle" | "all"): Promise<void>;
}

export function agentProvider(
  settings: AgentSettings,
  { host, storage }: { readonly host: Pick<Host, "spawn" | "log" | "clock" | "env">; readonly storage: Storage },
): ProvidingAgent {
  const { name, models, env } = settings;
  const sessions = new StoredSessions(storage, name);
  let loaded: Promise<AgentPool> | undefined;
  const load = async (): Promise<AgentPool> => {
    // Agents may be configured but unused.
    const { AgentPool } = await import("./agent-pool.ts");
    return new AgentPool({ settings, host, secrets: new ProgramSecrets(host.env), sessions });
  };
  const missing = env.find((variable) => host.env.get(variable) === undefined);
  return {
    sessions,
    provider: {
      id: name,
      models: [...new Set(["default", ...models])],
      problem:
        missing === undefined ? null : `The variable ${missing} is not set, which [agents.${name}] env names`,
      runsOwnTools: true,
      identity: programHash(settings),
      // Capabilities are only known once the agent runs, which then reports unsupported files.
      acceptsFile: () => true,
      async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
        yield* (await (loaded ??= load())).stream(request);
      },
    },
    async close(which) {
      const pool = await loaded;
      await (which === "all" ? pool?.close() : pool?.closeIdle());
    },
  };
}
