import * as z from "zod";
import { maxPromptBytes, maxPrompts } from "./limits.ts";
import { toolName } from "./tool-name.ts";

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
}

export interface ListedPrompt {
  readonly name: string;
  readonly ownName: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

export interface ListedPrompts {
  readonly prompts: readonly ListedPrompt[];
  readonly problems: readonly string[];
}

const maxProblems = 10;

const lineSchema = z.string().optional().catch(undefined);
const promptSchema = z.looseObject({
  name: z.string().min(1),
  title: lineSchema,
  description: lineSchema,
  arguments: z
    .array(
      z.looseObject({
        name: z.string().regex(/^\S{1,100}$/),
        description: lineSchema,
        required: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
      }),
    )
    .max(50)
    .nullish(),
});

/** Validates the prompts of a server. The first of a name applies; an invalid one does not affect the others. */
export function listedPrompts(server: string, entries: readonly unknown[]): ListedPrompts {
  const prompts = new Map<string, ListedPrompt>();
  const problems: string[] = [];
  let wrong = 0;
  for (const entry of entries) {
    const prompt = parsePrompt(server, entry);
    if (prompt === undefined) wrong += 1;
    else if (prompts.has(prompt.name))
      problems.push(`lists more than one prompt "${prompt.name}"; the first counts`);
    else prompts.set(prompt.name, prompt);
  }
  if (wrong > 0)
    problems.push(
      `lists ${wrong} prompts that are not valid in MCP or larger than ${maxPromptBytes} bytes; they are skipped`,
    );
  const sorted = [...prompts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (sorted.length > maxPrompts)
    problems.push(`lists ${sorted.length} prompts; only the first ${maxPrompts} by name are used`);
  return { prompts: sorted.slice(0, maxPrompts), problems: problems.slice(-maxProblems) };
}

function parsePrompt(server: string, entry: unknown): ListedPrompt | undefined {
  const { data } = promptSchema.safeParse(entry);
  if (data === undefined) return undefined;
  const { name: ownName, title, description = title, arguments: given } = data;
  const prompt: ListedPrompt = {
    name: toolName(server, ownName),
    ownName,
    description: description?.trim() ?? "",
    arguments: (given ?? []).map(({ name, description: said = "", required }) => ({
      name,
      description: said.trim(),
      isRequired: required === true,
    })),
  };
  return Buffer.byteLength(JSON.stringify(prompt)) > maxPromptBytes ? undefined : prompt;
}
