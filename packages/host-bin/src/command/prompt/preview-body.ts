import type { PreviewSystemPromptRequest } from "@incipit/schema";
import type { Arguments } from "../arguments/arguments.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import { readTemplate } from "./template-input.ts";

export async function previewBody(args: Arguments): Promise<PreviewSystemPromptRequest> {
  const [, argument] = args.words;
  const input = argument === undefined ? undefined : await readTemplate(argument, "preview");
  return {
    cwd: workingFolder(args),
    ...(input === undefined ? {} : { template: input.template }),
    ...(args.model === undefined ? {} : { model: args.model }),
    ...(args.profile === undefined ? {} : { profile: args.profile }),
  };
}
