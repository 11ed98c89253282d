import { DataFolder } from "@incipit/host/data-folder";
import type { OwnFile } from "../../config/growing-file.ts";
import { knownVendors, setKeyOf, vendorOf } from "../../config/known-providers.ts";
import { unlistedModelNote } from "../../config/suggest-model.ts";
import { parseConfig } from "../../config/parse-config.ts";
import { isThere, backUp, writeNew, writeAtomically } from "../../config/write-atomically.ts";
import { UsageError } from "../registry/usage-error.ts";
import type { OptionsOf } from "../registry/options.ts";
import type { Call } from "../registry/command.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { choose, isAgreed, LeftSetup } from "./choose.ts";
import { configurationText } from "./configuration-text.ts";

export interface SetupOptions extends OwnFile {
  readonly args: OptionsOf<"model" | "isGranted" | "isJson">;
  readonly output: Output;
}

/** Does not read the configuration file, which it may replace. */
export async function runSetup({ args, output, host }: Call<[], "model" | "isGranted">): Promise<number> {
  const { configFile: file, dataFolder } = await host.places();
  return setup({ file, dataFolder, args, output });
}

/** With `--model` and `--yes` it asks nothing; then, and without a terminal, it never overwrites a file. */
async function setup(options: SetupOptions): Promise<number> {
  const { args, file, output } = options;
  const { model } = args;
  if (!args.isGranted && !isAtTerminal())
    throw new UsageError(
      '"incipit setup" asks at a terminal, and there is none; say it all: incipit setup --model PROVIDER/MODEL --yes',
    );
  if (args.isGranted && model === undefined)
    throw new UsageError('"--yes" needs a model; write: incipit setup --model PROVIDER/MODEL --yes');
  if (model !== undefined) assertKnown(model);
  if (args.isGranted && isThere(file))
    throw new Error(`"${file}" is there already, and stays; change it by hand, or move it away first`);
  try {
    await chosen(options);
    return 0;
  } catch (error) {
    if (!(error instanceof LeftSetup)) throw error;
    output.errLine(error.message);
    return error.exitCode;
  }
}

async function chosen({ args, dataFolder, file, output }: SetupOptions): Promise<void> {
  const { model } = args;
  const env = process.env;
  const isOver = isThere(file);
  if (isOver && !(await isAgreed(`"${file}" is there already. Write a new one in its place? [y/N] `, output)))
    throw new LeftSetup(1);
  const isAsking = !args.isGranted || model === undefined;
  const choices = isAsking ? await choose(model, { env, output }) : { model, isWorkspace: true };
  const text = configurationText(choices, env);
  parseConfig(text, file, { dataFolder });
  if (isAsking) output.err(`\n${text}\n`);
  if (isOver) {
    output.errLine(`What it said is kept in ${backUp(file)}`);
    writeAtomically(file, text);
  } else writeNew(file, text);
  const unlisted = isAsking ? undefined : unlistedModelNote(choices.model);
  if (unlisted !== undefined) output.errLine(unlisted);
  if (args.isJson) output.outLine(JSON.stringify({ file, model: choices.model }));
  else tellNext(choices.model, { dataFolder, file, output });
}

function tellNext(
  model: string,
  { dataFolder, file, output: { outLine } }: Pick<SetupOptions, "dataFolder" | "file" | "output">,
): void {
  outLine(`Written: ${file}`);
  const vendor = vendorOf(model);
  const [usual] = vendor?.keyVariables ?? [];
  if (vendor !== undefined && usual !== undefined && setKeyOf(vendor, process.env) === undefined)
    outLine(`Get a key at ${vendor.page}, then: export ${usual}=…`);
  if (vendor?.start !== undefined) outLine(`Start it, if it does not run: ${vendor.start} (${vendor.page})`);
  const state = DataFolder.look(dataFolder);
  if (state.kind === "held")
    outLine("The host that runs keeps what it was started with: end it, then start it again (incipit serve)");
  outLine("Begin: incipit. If it does not answer: incipit doctor");
}

function assertKnown(model: string): void {
  const isModel = /^[^/\s]+\/\S+$/.test(model);
  if (isModel && (vendorOf(model) !== undefined || model.startsWith("offline/"))) return;
  const names = knownVendors.map(({ name }) => name).join(", ");
  throw new UsageError(
    `"${model}" is not PROVIDER/MODEL with a provider that setup knows (${names}); for another one write [providers.NAME] yourself: config.example.toml shows how`,
  );
}
