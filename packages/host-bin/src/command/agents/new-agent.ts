import { makeFolders, syncFolder, writeSynced } from "@incipit/host/data-folder";
import { profileNameSchema } from "@incipit/schema";
import { dirname, join } from "node:path";
import type { Call } from "../registry/command.ts";
import { UsageError } from "../registry/usage-error.ts";
import { trustAgentFile } from "./trust-agent-file.ts";

const template = `---
description: What it is for, in one line
# model: anthropic/claude-sonnet-4-5
# tools: read_file, search
---

You are a helpful assistant. Say here what it is to do, and how.
`;

/** A file in the working folder is trusted as the user's own text. Never overwrites a file. */
export async function newAgent(call: Call<[name: string], "cwd" | "isForUser">): Promise<number> {
  const { args, output, host } = call;
  const [name] = call.words;
  const { dataFolder, userFolder, cwd } = await host.start();
  const { success, error } = profileNameSchema.safeParse(name);
  if (!success)
    throw new UsageError(`"${name}" cannot be the name of an agent: it ${error.issues[0]?.message ?? ""}`);
  const path = args.isForUser ? join(userFolder, "agents", `${name}.md`) : join(cwd, ".agents", `${name}.md`);
  makeFolders(dirname(path));
  try {
    writeSynced(path, template, { flag: "wx" });
    syncFolder(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new Error(`There is "${path}" already; to change it: incipit agents edit ${name}`, { cause: error });
  }
  if (!args.isForUser) await trustAgentFile(path, Buffer.from(template), { dataFolder, output });
  if (args.isJson) output.outLine(JSON.stringify({ name, path }));
  else {
    output.outLine(path);
    output.errLine(`Write what it is told: incipit agents edit ${name}. Then: incipit "…" --profile ${name}`);
  }
  return 0;
}
