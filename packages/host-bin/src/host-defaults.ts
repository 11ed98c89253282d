import type { HostDefaults } from "@incipit/service-contract";
import type { Config } from "@incipit/host/configuration";

/** What the operator configured for all conversations. */
export function hostDefaults(config: Config, { cwd }: { readonly cwd: string }): HostDefaults {
  const { model, system_prompt: systemPrompt, prompt_refresh: promptRefresh } = config;
  const profiles = Object.entries(config.profiles).map(([name, profile]) => ({
    name,
    ...(profile.model === undefined ? {} : { model: profile.model }),
    ...(profile.system_prompt === undefined ? {} : { systemPrompt: profile.system_prompt }),
  }));
  return { model, cwd, ...(systemPrompt === undefined ? {} : { systemPrompt }), promptRefresh, profiles };
}
