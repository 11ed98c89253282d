import { defineConfiguration } from "@incipit/kernel";
import { clientNameSchema } from "@incipit/schema";
import * as z from "zod";
import { agentToolName } from "./agent-tool-name.ts";

const depthRule = "must be a whole number from 1 to 8";
const countRule = "must be a whole number from 1 to 100";
const tokensRule = "must be a whole number of tokens, from 1 on";
const timeRule = "must be a whole number of minutes from 1 to 1440";

export const configuration = defineConfiguration({
  tables: () => ({
    subagents: {
      enabled: z.boolean().default(false),
      profiles: z.array(clientNameSchema.min(1)).min(1, "must name a profile").exactOptional(),
      /** 1: tasks cannot start tasks. */
      max_depth: z.int(depthRule).min(1, depthRule).max(8, depthRule).default(1),
      max_at_once: z.int(countRule).min(1, countRule).max(100, countRule).default(4),
      max_per_turn: z.int(countRule).min(1, countRule).max(100, countRule).default(8),
      /** Input and output tokens, excluding the task's own tasks; unlimited by default. */
      max_tokens: z.int(tokensRule).min(1, tokensRule).exactOptional(),
      timeout_minutes: z.int(timeRule).min(1, timeRule).max(1_440, timeRule).default(30),
    },
  }),
  whole: ["subagents"],
  isWanted: ({ subagents }) => subagents.enabled,
  reserves: ({ subagents }) =>
    subagents.enabled ? [{ point: "tools@1", name: agentToolName, whose: "a tool of the host's own" }] : [],
  wishes({ subagents: { enabled, profiles, max_per_turn: count, max_depth: depth } }, { quote }) {
    if (!enabled) return [];
    const whom = profiles === undefined ? "agents of any profile" : `agents of ${profiles.map(quote).join(", ")}`;
    const sentence = `lets models start tasks of ${whom} autonomously, up to ${count} in a turn, ${depth} deep`;
    return [{ path: ["subagents"], sentence, tells: ["enabled", "profiles", "max_per_turn", "max_depth"] }];
  },
});
