import { parseArgs } from "node:util";
import { suggestion } from "../config/suggestion.ts";

/** The command was not understood; exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const options = {
  config: { type: "string" },
  conversation: { type: "string", short: "s" },
  cwd: { type: "string" },
  data: { type: "string" },
  help: { type: "boolean", short: "h" },
  host: { type: "string" },
  json: { type: "boolean" },
  model: { type: "string" },
  port: { type: "string" },
  profile: { type: "string" },
  repl: { type: "boolean" },
  system: { type: "string" },
  version: { type: "boolean" },
} as const;

export interface Arguments {
  readonly words: readonly string[];
  readonly config: string | undefined;
  readonly conversation: string | undefined;
  readonly cwd: string | undefined;
  readonly data: string | undefined;
  readonly host: string | undefined;
  readonly isHelp: boolean;
  readonly isJson: boolean;
  readonly isRepl: boolean;
  readonly isVersion: boolean;
  readonly model: string | undefined;
  readonly port: string | undefined;
  readonly profile: string | undefined;
  readonly system: string | undefined;
}

/** @throws {UsageError} */
export function parseArguments(args: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return {
      words: positionals,
      config: values.config,
      conversation: values.conversation,
      cwd: values.cwd,
      data: values.data,
      host: values.host,
      isHelp: values.help ?? false,
      isJson: values.json ?? false,
      isRepl: values.repl ?? false,
      isVersion: values.version ?? false,
      model: values.model,
      port: values.port,
      profile: values.profile,
      system: values.system,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const unknown = /Unknown option '-*([^']+)'/.exec(message)?.[1];
    if (unknown === undefined) throw new UsageError(message.split(". ")[0], { cause: error });
    throw new UsageError(`Unknown option "--${unknown}"${suggestion(unknown, Object.keys(options))}`, {
      cause: error,
    });
  }
}
