import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** A variable available in templates as `[type:name]`. */
export const systemPromptVariableSchema = lazySchema(() =>
  z.object({
    /** Part before the colon, such as `file`. */
    type: z.string(),
    /** Part after the colon, such as `AGENTS.md`. */
    name: z.string(),
    /** Description of the value. */
    description: z.string(),
    /** Accepts any name, such as any path for `file`. */
    dynamic: z.boolean().optional(),
  }),
);
export type SystemPromptVariable = z.infer<typeof systemPromptVariableSchema>;

/** Each entry is resolved in `system-prompt`, in a file per type; the compiler enforces that all are. */
const builtIn = [
  { type: "system", name: "time", description: "Current time (ISO 8601)" },
  { type: "system", name: "date", description: "Current date (YYYY-MM-DD)" },
  { type: "system", name: "os", description: "Operating system" },
  { type: "system", name: "hostname", description: "Machine hostname" },
  { type: "prompt", name: "cwd", description: "Working directory of the conversation" },
  { type: "prompt", name: "model", description: "Model of the conversation (PROVIDER/MODEL)" },
  { type: "prompt", name: "conversation_id", description: "Conversation id" },
  { type: "git", name: "branch", description: "Current git branch" },
  { type: "git", name: "status", description: "Short git status" },
  {
    type: "file",
    name: "<path>",
    description: "File contents (relative to the working directory, or absolute)",
    dynamic: true,
  },
] as const satisfies readonly SystemPromptVariable[];
export type StaticVariable = (typeof builtIn)[number];

/** The catalogue without extensions; also returned when no prompt builder is loaded. */
export const staticVariables: readonly SystemPromptVariable[] = builtIn;
