import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { incipit, type CommandResult } from "../support/host-process.ts";
import { Sitting, type SittingOptions } from "./sitting.ts";

export interface TerminalWorld extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly model: RecordingModelServer;
  sit(options?: Partial<SittingOptions>): Sitting;
  run(args: readonly string[]): Promise<CommandResult>;
}

export interface TerminalWorldOptions {
  readonly config?: string;
  readonly more?: string;
  readonly facts?: string;
}

/** The model has 1,000 tokens and costs 10 and 20 dollars per million. */
export async function newTerminalWorld({
  config = "",
  more = "",
  facts = "context_window = 1_000\nmax_output_tokens = 500\nprices = { input = 10, output = 20, cache_read = 1 }",
}: TerminalWorldOptions = {}): Promise<TerminalWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const home = await realpath(folder.path);
  const work = join(home, "work");
  await mkdir(work);
  await Bun.write(
    join(home, ".config/incipit/incipit.toml"),
    `model = "local/test"\n${config}\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n[providers.local.models.test]\n${facts}\n${more}`,
  );
  const owned = stack.move();
  return {
    home,
    work,
    model,
    sit: (options = {}) => owned.use(new Sitting({ cwd: work, home, ...options })),
    run: (args) => incipit(args, { cwd: work, home }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
