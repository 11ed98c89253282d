import type { HostDefaults, Profile } from "@incipit/service-contract";
import type { Config } from "@incipit/host/configuration";

export function hostDefaults(config: Config, { cwd }: { readonly cwd: string }): HostDefaults {
  const { model, system_prompt: systemPrompt, prompt_refresh: promptRefresh } = config;
  const profiles = Object.entries(config.profiles).map(([name, profile]) => toProfile(name, profile));
  return { model, cwd, ...(systemPrompt === undefined ? {} : { systemPrompt }), promptRefresh, profiles };
}

function toProfile(name: string, configured: Config["profiles"][string]): Profile {
  const { description, model, system_prompt: systemPrompt, append_system_prompt: append } = configured;
  const { tools, mcp_servers: mcpServers, skills, settings, budget } = configured;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(model === undefined ? {} : { model }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(append === undefined ? {} : { append }),
    ...(tools === undefined ? {} : { tools: toTools(tools) }),
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(skills === undefined ? {} : { skills }),
    ...(settings === undefined ? {} : { settings: toSettings(settings) }),
    ...(budget === undefined
      ? {}
      : {
          budget: {
            maxUsdPerDay: budget.max_usd_per_day ?? null,
            maxTokensPerDay: budget.max_tokens_per_day ?? null,
          },
        }),
  };
}

type Configured<Key extends keyof Config["profiles"][string]> = NonNullable<Config["profiles"][string][Key]>;

function toTools({ allowed, asked = [], denied = [] }: Configured<"tools">): Required<Profile>["tools"] {
  return { allowed: allowed ?? null, asked, denied };
}

function toSettings(configured: Configured<"settings">): Required<Profile>["settings"] {
  const {
    top_p: topP,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    stop_sequences: stopSequences,
    max_output_tokens: maxOutputTokens,
    reasoning_effort: reasoningEffort,
    ...same
  } = configured;
  return {
    ...same,
    ...(topP === undefined ? {} : { topP }),
    ...(presencePenalty === undefined ? {} : { presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  };
}
