import type { PreviewSystemPromptRequest } from "@incipit/schema";
import type { OptionsOf } from "../registry/options.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import { readTemplate } from "./template-input.ts";

export type PreviewOption = "cwd" | "model" | "profile";

export async function previewBody(
  argument: string | undefined,
  args: OptionsOf<PreviewOption>,
): Promise<PreviewSystemPromptRequest> {
  const input = argument === undefined ? undefined : await readTemplate(argument, "preview");
  return {
    cwd: workingFolder(args),
    ...(input === undefined ? {} : { template: input.template }),
    ...(args.model === undefined ? {} : { model: args.model }),
    ...(args.profile === undefined ? {} : { profile: args.profile }),
  };
}
