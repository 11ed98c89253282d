import { resolve } from "node:path";
import {
  ApiClientError,
  grantRequiredDetailsSchema,
  routes,
  type CapabilitiesInfo,
  type Client,
  type ExtensionInfo,
} from "@incipit/transport-contract";
import { gutter } from "@incipit/cli-text/questions";
import type { Call } from "../registry/command.ts";
import type { OptionsOf } from "../registry/options.ts";
import { printExtension } from "./print-extension.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import type { Output } from "../output/output.ts";

export interface GrantOptions {
  readonly args: OptionsOf<"isGranted" | "isJson">;
  readonly output: Output;
  /** The user has accepted this code and its grant before; only new capabilities need a grant. */
  readonly isCodeVouchedFor?: boolean;
}

interface Answer {
  readonly grant?: CapabilitiesInfo;
  readonly sha256?: string;
  readonly data?: "keep" | "drop";
}

export interface AddOptions extends GrantOptions {
  readonly client: Client;
}

export async function add(call: Call<[path: string], "isGranted">): Promise<number> {
  const { args, output, host } = call;
  const [path] = call.words;
  const extension = await addExtension(resolve(path), { client: await host.client(), args, output });
  if (extension === undefined) return 1;
  printExtension(extension, { args, output });
  return 0;
}

/** `undefined` without a grant. */
export async function addExtension(path: string, options: AddOptions): Promise<ExtensionInfo | undefined> {
  const added = await granting(options, (answer) =>
    options.client.call(routes.addExtension, { body: { path, ...answer } }),
  );
  return added?.extension;
}

/** Calls `work` again once the user has granted its request; `undefined` without a grant. */
export async function granting<Result>(
  { args, output, isCodeVouchedFor = false }: GrantOptions,
  work: (answer: Answer) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work({});
  } catch (error) {
    if (!(error instanceof ApiClientError) || error.code !== "GRANT_REQUIRED") throw error;
    const details = grantRequiredDetailsSchema.parse(error.details);
    const { id, version, grant, sha256, stored, isCodeChanged, words, newWords } = details;
    if (isCodeChanged && isCodeVouchedFor) return work({ grant });
    const what = isCodeChanged ? "has other code than the one that was granted this" : "asks for this";
    output.errLine(`"${id}" ${version} ${what}:`);
    for (const row of grantRows({ words, newWords, stored }, { width: output.errWidth })) output.errLine(row);
    if (args.isGranted || (await isAgreed("Grant it? [y/N] ", output))) {
      const data = stored === 0 ? undefined : await dataAnswer(args, output);
      // The hash covers the displayed code; later changes in the folder need another grant.
      if (stored === 0 || data !== undefined)
        return granting({ args, output, isCodeVouchedFor }, (again) =>
          work({ grant, sha256, ...(data === undefined ? {} : { data }), ...again }),
        );
    }
    output.errLine(
      `Nothing was changed: "${id}" was not granted what it asks for (--yes grants it without a question)`,
    );
    return undefined;
  }
}

/** Capability texts contain names chosen by the extension. */
export function grantRows(
  {
    words,
    newWords,
    stored = 0,
  }: { readonly words: readonly string[]; readonly newWords: readonly string[]; readonly stored?: number },
  options: { readonly width: number },
): readonly string[] {
  const isNew = (word: string): boolean => newWords.length < words.length && newWords.includes(word);
  const found = `it finds what was stored under its id before, by whatever had that (entries: ${stored})`;
  const rows = words.map((word) => `it ${word}${isNew(word) ? "  (new)" : ""}`);
  return gutter([...rows, ...(stored === 0 ? [] : [found])].join("\n"), options);
}

/** Asks what to do with data stored under the extension's id; `undefined` if the user chooses neither. */
async function dataAnswer(args: OptionsOf<"isGranted">, output: Output): Promise<"keep" | "drop" | undefined> {
  if (args.isGranted || (await isAgreed("Let it have what is stored? [y/N] ", output))) return "keep";
  return (await isAgreed("Delete what is stored, and add it without? [y/N] ", output)) ? "drop" : undefined;
}
