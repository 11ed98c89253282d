import { skillsHandle, type SkillsService } from "@incipit/service-contract";
import type { ConversationId } from "@incipit/schema";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HostWorld } from "../../testing/host-world.ts";

export function skillText(name: string, description = `Is for ${name}`, body = `Do ${name}.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}

/** In a repository. Template "Base."; `undefined` selects the built-in default. */
export async function createSkillWorld(
  toml = "",
  { systemPrompt }: { readonly systemPrompt: string | undefined } = { systemPrompt: "Base." },
): Promise<HostWorld> {
  const template = systemPrompt === undefined ? "" : `system_prompt = ${JSON.stringify(systemPrompt)}\n`;
  const world = await HostWorld.start({ config: template + toml, cwd: "repo/packages/app" });
  await mkdir(join(world.home, "repo/.git"));
  return world;
}

export function listSkills(world: HostWorld, cwd = world.cwd): ReturnType<SkillsService["list"]> {
  return world.service(skillsHandle).list({ cwd, signal: new AbortController().signal });
}

/** @returns What the tool told the model. */
export async function openSkill(world: HostWorld, id: ConversationId, input: object): Promise<unknown> {
  const calls = [{ id: "call-1", name: "skill", arguments: JSON.stringify(input) }];
  world.model.enqueue({ kind: "tool-calls", calls });
  await world.completeTurn(id, "open it");
  const { messages } = JSON.parse(world.model.requests.at(-1)?.body ?? "{}");
  return messages.findLast(({ role }: { readonly role: string }) => role === "tool")?.content;
}
