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
