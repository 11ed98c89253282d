import type { HostDefaults } from "@incipit/service-contract";
import type { Config } from "./config/config-schema.ts";

/** What the operator configured for all conversations; nobody who is told changes it for the others. */
export function hostDefaults(config: Config, { cwd }: { readonly cwd: string }): HostDefaults {
  const { model, system_prompt: systemPrompt, prompt_refresh: promptRefresh } = config;
  const profiles = Object.entries(config.profiles).map(([name, profile]) =>
    Object.freeze({
      name,
      ...(profile.model === undefined ? {} : { model: profile.model }),
      ...(profile.system_prompt === undefined ? {} : { systemPrompt: profile.system_prompt }),
    }),
  );
  return Object.freeze({
    model,
    cwd,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    promptRefresh,
    profiles: Object.freeze(profiles),
  });
}
