import type { CommandsService, SkillsService } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { need, type Services } from "../context/services.ts";
import type { Context } from "hono";
import { param, type Handlers } from "../request/handler.ts";
import { check } from "../request/read-body.ts";

type SkillRoute = "listSkills" | "openSkill" | "listCommands" | "showCommand";

export function skillHandlers({ defaults, skills, commands }: Services): Handlers<SkillRoute> {
  const skillsService = (): SkillsService => need(skills, "list of skills");
  const commandsService = (): CommandsService => need(commands, "list of commands");
  const folderOf = (
    context: Context,
    late: AbortSignal,
  ): { readonly cwd: string; readonly signal: AbortSignal } => {
    const { cwd = defaults.cwd } = check(routes.listSkills.query, context.req.query());
    return { cwd, signal: AbortSignal.any([context.req.raw.signal, late]) };
  };
  return {
    listSkills: async (context, late) =>
      answer(routes.listSkills, await skillsService().list(folderOf(context, late))),
    openSkill: async (context, late) =>
      answer(routes.openSkill, await skillsService().open(param(context, "name"), folderOf(context, late))),
    listCommands: async (context, late) =>
      answer(routes.listCommands, await commandsService().list(folderOf(context, late))),
    showCommand: async (context, late) =>
      answer(routes.showCommand, await commandsService().show(param(context, "name"), folderOf(context, late))),
  };
}
