import type { ReservedNames } from "@incipit/kernel";
import { modelProvidersPoint, toolsPoint } from "@incipit/service-contract";
import { workspaceToolNames } from "@incipit/workspace-tools";
import type { Config } from "./config/config-schema.ts";

/** Names of tools that no added extension may give, whatever of the host's own is there at the moment. */
export function reservedTools({ mcp }: Config): { readonly names: string[]; readonly prefixes: string[] } {
  return { names: [...workspaceToolNames], prefixes: Object.keys(mcp.servers).map((server) => `${server}__`) };
}

/** The names of built-in tools, of the tools of configured servers, and of configured providers. */
export function reservedNames(config: Config): ReservedNames {
  const tools = reservedTools(config);
  const providers = new Map(Object.entries(config.providers).map(([name, { kind }]) => [name, kind]));
  return (point, name) => {
    switch (point) {
      case modelProvidersPoint.id:
        if ((providers.get(name) ?? "extension") !== "extension") return "a provider of the configuration";
        return name === "offline" ? "the host's own provider" : undefined;
      case toolsPoint.id:
        if (tools.names.includes(name)) return "a tool of the host's own";
        return tools.prefixes.some((prefix) => name.startsWith(prefix)) ? "a configured server" : undefined;
      default:
        return undefined;
    }
  };
}
