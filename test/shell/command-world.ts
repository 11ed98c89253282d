import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { incipit, type CommandResult } from "../support/host-process.ts";

export interface CommandWorld extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly model: RecordingModelServer;
  run(
    args: readonly string[],
    options?: {
      readonly input?: string;
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
    },
  ): Promise<CommandResult>;
}

export async function createCommandWorld({
  provider = "",
  config = "",
}: { readonly provider?: string; readonly config?: string } = {}): Promise<CommandWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const home = await realpath(folder.path);
  const work = join(home, "work");
  await mkdir(work);
  await Bun.write(
    join(home, ".config/incipit/incipit.toml"),
    `model = "local/test"\nproviders.local = { kind = "openai-compatible", base_url = "${model.url}"${provider} }\n${config}`,
  );
  const owned = stack.move();
  return {
    home,
    work,
    model,
    run: (args, options = {}) => incipit(args, { cwd: work, home, ...options }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
