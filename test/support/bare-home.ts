import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { incipit, type CommandResult } from "./host-process.ts";

export interface BareHome extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly model: RecordingModelServer;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>;
}

export async function newBareHome(): Promise<BareHome> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const home = await realpath(folder.path);
  const work = join(home, "work");
  await mkdir(work);
  const owned = stack.move();
  return {
    home,
    work,
    model,
    run: (args, env = {}) => incipit(args, { cwd: work, home, env }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
