import { readKeys, type Stretch } from "@incipit/common/front-matter";
import { profileNameSchema } from "@incipit/schema";
import { promptText } from "./agent-text.ts";
import type { AgentPlace, ParsedFile } from "./parsed-agent.ts";
import { profileOfKeys } from "./profile-of-keys.ts";

const texts = ["name", "description", "model", "append", "systemPrompt", "system_prompt"] as const;

export interface KeysPlace {
  readonly name: string;
  readonly yaml: Stretch;
  readonly body: Stretch | undefined;
  readonly place: AgentPlace;
  readonly line: number | null;
  /** From 1. */
  readonly yamlLine: number;
}

export async function agentOfYaml(text: string, at: KeysPlace): Promise<ParsedFile> {
  const read = await readKeys(text.slice(at.yaml.start, at.yaml.end), texts);
  if (read.kind === "keys") return agentOfKeys(text, read.keys, at);
  const message = `The front matter cannot be read: ${read.reason}`;
  return { agents: [], problems: [{ code: "not-yaml", line: at.yamlLine + read.line, message }] };
}

export function agentOfKeys(text: string, keys: ReadonlyMap<string, unknown>, at: KeysPlace): ParsedFile {
  const given = keys.get("name");
  const written = given === undefined || given === null || given === "" ? at.name : given;
  const { success, data: name } = profileNameSchema.safeParse(
    typeof written === "string" ? written.trim() : written,
  );
  if (!success) {
    const shown = JSON.stringify(written)?.slice(0, 200);
    const rule = profileNameSchema.safeParse("").error?.issues[0]?.message ?? "";
    const message = `An agent cannot be called ${shown}: a name ${rule}`;
    return { agents: [], problems: [{ code: "not-a-name", line: at.line, message }] };
  }
  const prompt = at.body === undefined ? undefined : promptText(text, at.body);
  const { profile, problems } = profileOfKeys(keys, { name, prompt });
  const told = problems.map((problem) => ({ ...problem, line: at.line }));
  return { agents: [{ profile, line: at.line, problems: told, keys, place: at.place }], problems: [] };
}
