import { clientNameSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";
import { agentToolName } from "./agent-tool-name.ts";

const inputSchema = lazySchema(() =>
  z.strictObject({
    profile: clientNameSchema.min(1).optional(),
    task: z.string().trim().min(1, "must say what to do"),
    schema: z.record(z.string(), z.json()).optional(),
  }),
);
export type AgentInput = z.output<typeof inputSchema>;

export function readAgentInput(input: unknown): AgentInput {
  const parsed = inputSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new Error(`Cannot run ${agentToolName}: ${where === "" ? "its input" : `"${where}"`}: ${issue?.message}`);
}
