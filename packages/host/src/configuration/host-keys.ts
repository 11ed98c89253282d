import { proxyKey } from "@incipit/kernel";
import {
  allowedToolsSchema,
  maxTokensPerDaySchema,
  maxUsdPerDaySchema,
  profileFieldsSchema,
  turnSettingsSchema,
} from "@incipit/schema";
import * as z from "zod";
import { terminalKeys } from "./terminal-settings.ts";

function modelKey(): z.ZodString {
  return z.string().regex(/^[^/\s]+\/\S+$/, 'must be PROVIDER/MODEL, such as "offline/echo"');
}

function nameKey(): z.ZodString {
  return z.string().regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, _ and -");
}

export function hostKeys() {
  return {
    model: modelKey().default("offline/echo"),
    system_prompt: z.string().exactOptional(),
    prompt_refresh: z.enum(["compaction", "turn"]).default("compaction"),
    profiles: z.record(nameKey(), z.strictObject(profileKeys())).default({}),
    providers: z.record(nameKey(), z.record(z.string(), z.unknown())).default({}),
  };
}

function profileKeys() {
  const { shape: settings } = turnSettingsSchema;
  return {
    description: profileFieldsSchema.shape.description.unwrap().exactOptional(),
    model: modelKey().exactOptional(),
    system_prompt: z.string().exactOptional(),
    append_system_prompt: z.string().exactOptional(),
    tools: z
      .strictObject({
        allowed: allowedToolsSchema.exactOptional(),
        asked: allowedToolsSchema.exactOptional(),
        denied: allowedToolsSchema.exactOptional(),
      })
      .exactOptional(),
    mcp_servers: profileFieldsSchema.shape.mcpServers.exactOptional(),
    skills: profileFieldsSchema.shape.skills.exactOptional(),
    settings: z
      .strictObject({
        temperature: settings.temperature,
        top_p: settings.topP,
        presence_penalty: settings.presencePenalty,
        frequency_penalty: settings.frequencyPenalty,
        seed: settings.seed,
        stop_sequences: settings.stopSequences,
        max_output_tokens: settings.maxOutputTokens,
        reasoning_effort: settings.reasoningEffort,
      })
      .exactOptional(),
    budget: z
      .strictObject({
        max_usd_per_day: maxUsdPerDaySchema.exactOptional(),
        max_tokens_per_day: maxTokensPerDaySchema.exactOptional(),
      })
      .exactOptional(),
  };
}

export function hostTables() {
  return {
    storage: {
      use: z.string().exactOptional(),
    },
    /** Replaces the proxy variables of the environment. */
    network: { proxy: proxyKey().exactOptional(), no_proxy: z.array(z.string()).exactOptional() },
    records: {
      redact: z.array(z.string()).default([]),
    },
    tools: {
      /** Isolates tool programs, MCP servers and their children from the host's data and processes. */
      confine: z.boolean().default(true),
    },
    terminal: terminalKeys(),
    extensions: {
      paths: z.array(z.string().min(1, "must be the path of a folder")).default([]),
      disabled: z.array(z.string()).default([]),
      settings: z.record(z.string(), z.record(z.string(), z.json())).default({}),
    },
  };
}

export function hostView() {
  const tables = hostTables();
  return z.looseObject({
    ...hostKeys(),
    providers: z.record(z.string(), z.looseObject({ kind: z.string() })),
    storage: z.looseObject(tables.storage),
    network: z.looseObject(tables.network),
    records: z.looseObject(tables.records),
    tools: z.looseObject(tables.tools),
    terminal: z.looseObject(tables.terminal),
    extensions: z.looseObject(tables.extensions),
  });
}
