import type { HostFacts } from "@incipit/host";
import { type Configured, reservedTools } from "@incipit/host/configuration";
import { version } from "./version.ts";

export function factsFor(
  id: string,
  { databasePath, token, secrets }: HostFacts,
  { configured, userFolder }: { readonly configured: Configured; readonly userFolder: string | undefined },
): Readonly<Record<string, unknown>> {
  switch (id) {
    case "rules":
    case "skills":
      return userFolder === undefined ? {} : { user_folder: userFolder };
    case "storage-sqlite":
      return { path: databasePath };
    case "session-orchestrator":
      return {
        secrets,
        redact: configured.config.records.redact,
        reserved_tools: reservedTools(configured.reserved()),
      };
    case "profiles":
      return userFolder === undefined ? {} : { folder: userFolder };
    case "telemetry-otlp":
      return { version };
    case "transport-http":
      return { token, version };
    default:
      return {};
  }
}
