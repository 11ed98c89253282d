import {
  ApiClientError,
  grantRequiredDetailsSchema,
  routes,
  type CapabilitiesInfo,
  type Client,
  type ExtensionInfo,
} from "@incipit/transport-contract";
import { gutter } from "../approval/gutter.ts";
import type { Arguments } from "../arguments.ts";
import { isAgreed } from "../is-agreed.ts";
import type { Output } from "../output.ts";

export interface GrantOptions {
  readonly args: Arguments;
  readonly output: Output;
  /** Whoever runs the command vouches for the code, and has granted it this before: only what is new is asked about. */
  readonly isCodeVouchedFor?: boolean;
}

export interface AddOptions extends GrantOptions {
  readonly client: Client;
}

/** Adds one, after the operator has seen and granted what it asks for. `undefined`: it was not granted. */
export async function addExtension(path: string, options: AddOptions): Promise<ExtensionInfo | undefined> {
  const added = await granting(options, (grant) =>
    options.client.call(routes.addExtension, { body: { path, ...grant } }),
  );
  return added?.extension;
}

/**
 * Does what may need a grant: when it does, the operator is shown what is asked for, and asked.
 * @param work Called with the grant once it is given. `undefined`: it was not given.
 */
export async function granting<Result>(
  { args, output, isCodeVouchedFor = false }: GrantOptions,
  work: (grant: { readonly grant?: CapabilitiesInfo }) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work({});
  } catch (error) {
    if (!(error instanceof ApiClientError) || error.code !== "GRANT_REQUIRED") throw error;
    const details = grantRequiredDetailsSchema.parse(error.details);
    const { id, version, grant, isCodeChanged, words, newWords } = details;
    if (isCodeChanged && isCodeVouchedFor) return work({ grant });
    const what = isCodeChanged ? "has other code than the one that was granted this" : "asks for this";
    output.errLine(`"${id}" ${version} ${what}:`);
    for (const row of grantRows({ words, newWords }, { width: output.errWidth })) output.errLine(row);
    if (args.isGranted || (await isAgreed("Grant it? [y/N] ", output))) return work({ grant });
    output.errLine(
      `Nothing was changed: "${id}" was not granted what it asks for (--yes grants it without a question)`,
    );
    return undefined;
  }
}

/** Each with a mark, also where it is wrapped: what an extension asks for has names of its own making in it. */
export function grantRows(
  { words, newWords }: { readonly words: readonly string[]; readonly newWords: readonly string[] },
  options: { readonly width: number },
): readonly string[] {
  const isNew = (word: string): boolean => newWords.length < words.length && newWords.includes(word);
  return gutter(words.map((word) => `it ${word}${isNew(word) ? "  (new)" : ""}`).join("\n"), options);
}
