import { need, type Services } from "../context/services.ts";
import type { AnyCall, Handlers } from "../request/route-call.ts";

export function skillHandlers({ defaults, skills, commands }: Services) {
  const skillsService = () => need(skills, "list of skills");
  const commandsService = () => need(commands, "list of commands");
  const folderOf = (call: Pick<AnyCall, "signal"> & { query(): { readonly cwd?: string | undefined } }) => {
    const { cwd = defaults.cwd } = call.query();
    return { cwd, signal: call.signal };
  };
  return {
    listSkills: async (call) => call.answer(await skillsService().list(folderOf(call))),
    openSkill: async (call) => call.answer(await skillsService().open(call.param("name"), folderOf(call))),
    listCommands: async (call) => call.answer(await commandsService().list(folderOf(call))),
    showCommand: async (call) => call.answer(await commandsService().show(call.param("name"), folderOf(call))),
  } satisfies Partial<Handlers>;
}
