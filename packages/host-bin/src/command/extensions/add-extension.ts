import {
  ApiClientError,
  grantRequiredDetailsSchema,
  routes,
  type CapabilitiesInfo,
  type Client,
  type ExtensionInfo,
} from "@incipit/transport-contract";
import { createInterface } from "node:readline/promises";
import type { Arguments } from "../arguments.ts";
import type { Output } from "../output.ts";

export interface AddOptions {
  readonly client: Client;
  readonly args: Arguments;
  readonly output: Output;
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
  { args, output }: Omit<AddOptions, "client">,
  work: (grant: { readonly grant?: CapabilitiesInfo }) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work({});
  } catch (error) {
    if (!(error instanceof ApiClientError) || error.code !== "GRANT_REQUIRED") throw error;
    const { id, version, asked, words, newWords } = grantRequiredDetailsSchema.parse(error.details);
    const lines = words.map(
      (word) => `  it ${word}${newWords.length < words.length && newWords.includes(word) ? "  (new)" : ""}\n`,
    );
    output.err(`"${id}" ${version} asks for this:\n${lines.join("")}`);
    if (args.isGranted || (await isAgreed("Grant it? [y/N] "))) return work({ grant: asked });
    output.err(
      `Nothing was changed: "${id}" was not granted what it asks for (--yes grants it without a question)\n`,
    );
    return undefined;
  }
}

/** Nobody can agree who is not there. */
async function isAgreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on("SIGINT", () => process.exit(130));
  const closed = Promise.withResolvers<string>();
  lines.on("close", () => closed.resolve("")); // Ctrl-D is no agreement.
  try {
    return /^y(es)?$/i.test((await Promise.race([lines.question(question), closed.promise])).trim());
  } finally {
    lines.close();
  }
}
