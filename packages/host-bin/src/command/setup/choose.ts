import { nearestWord } from "@incipit/host/text";
import { knownVendors, setKeyOf, type KnownVendor } from "../../config/known-vendors.ts";
import { unlistedModelWords } from "../../config/meant-model.ts";
import type { Output } from "../output/output.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { askYesNo } from "../questions/ask-yes-no.ts";
import { installedModels } from "./installed-models.ts";
import type { Choices } from "./configuration-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Somebody has ended the questions. */
export class LeftSetup extends Error {
  override readonly name = "LeftSetup";
  /** What the command ends with. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("Nothing was written");
    this.exitCode = exitCode;
  }
}

/** Asks whoever sits at the terminal. @param model What is chosen already. @throws {LeftSetup} */
export async function choose(
  model: string | undefined,
  { env, output }: { readonly env: Environment; readonly output: Output },
): Promise<Choices> {
  const chosen = model ?? (await chooseModel(await chooseVendor(env, output), { env, output }));
  const isWorkspace = await isAgreed(
    "May models read and search files of your working folder, and change them and run programs after asking you? [y/N] ",
    output,
  );
  const isAsked = await isAgreed(
    "Ask you before a model is told text of a folder that you do not trust, such as its AGENTS.md? [y/N] ",
    output,
  );
  return { model: chosen, isWorkspace, isAsked };
}

/** `usual` is what an empty line says. @throws {LeftSetup} */
export async function isAgreed(
  question: string,
  { hold }: Pick<Output, "hold">,
  usual: "yes" | "no" = "no",
): Promise<boolean> {
  using _ = hold();
  const { signal } = new AbortController();
  const said = await askYesNo(question, { askPerson: askAtTerminal, signal, usual });
  if (said === "interrupt") throw new LeftSetup(130);
  return said === "yes";
}

async function chooseVendor(env: Environment, output: Output): Promise<KnownVendor> {
  const found = knownVendors.filter((vendor) => setKeyOf(vendor, env) !== undefined);
  const all = [...found, ...knownVendors.filter((vendor) => !found.includes(vendor))];
  const names = all.map(({ name }) => name);
  output.errLine("Whose models?");
  for (const [index, vendor] of all.entries()) {
    const variable = setKeyOf(vendor, env);
    const [usual] = vendor.keyVariables;
    const key =
      variable === undefined
        ? usual === undefined
          ? "needs no key"
          : `${usual} is not set`
        : `${variable} is set`;
    output.errLine(`  ${String(index + 1).padStart(2)}  ${vendor.title.padEnd(28)}  ${key}`);
  }
  output.errLine("(Ctrl-C leaves, and writes nothing. Models without a key answer once you have set it)");
  const usual = found.length === 0 ? "" : " [1]";
  for (;;) {
    const said = (await answer(`Its number, or its name such as ${all[0]?.name}${usual}: `, output)).toLowerCase();
    const number = said === "" && found.length > 0 ? 1 : Number(said);
    const vendor = all[number - 1] ?? all.find(({ name }) => name === said);
    if (vendor !== undefined) return vendor;
    const nearest = nearestWord(said, names);
    const meant = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
    const what = said === "" ? "Nothing was chosen" : `There is no "${said}"`;
    output.errLine(`${what}${meant || `; write a number from 1 to ${all.length}`}`);
  }
}

const maxShown = 20;

async function chooseModel(
  vendor: KnownVendor,
  { env, output }: { readonly env: Environment; readonly output: Output },
): Promise<string> {
  const installed = vendor.start === undefined ? [] : await installedModels(vendor, env);
  const more = installed.length > maxShown ? `, and ${installed.length - maxShown} more` : "";
  if (installed.length > 0) output.errLine(`It has ${installed.slice(0, maxShown).join(", ")}${more}`);
  const { name, model = installed[0] } = vendor;
  const usual = model === undefined ? "" : ` [${model}]`;
  for (;;) {
    const said = (await answer(`Which model of it, as ${name}/…${usual}: `, output)) || (model ?? "");
    const chosen = said.startsWith(`${name}/`) ? said.slice(name.length + 1) : said;
    if (!/^\S+$/.test(chosen)) output.errLine("Write the name that the vendor gives it, without spaces");
    else if (await isMeant(`${name}/${chosen}`, output)) return `${name}/${chosen}`;
  }
}

/** Asks again about a model that no list has: it may be newer than the list. @throws {LeftSetup} */
async function isMeant(model: string, output: Output): Promise<boolean> {
  const words = unlistedModelWords(model);
  if (words === undefined) return true;
  output.errLine(words);
  return isAgreed("Take it as it is? [y/N] ", output);
}

async function answer(question: string, { hold }: Pick<Output, "hold">): Promise<string> {
  using _ = hold();
  const said = await askAtTerminal(question, { signal: new AbortController().signal, takesPasted: true });
  if (said.kind !== "answer") throw new LeftSetup(said.kind === "interrupt" ? 130 : 1);
  return said.text.trim();
}
