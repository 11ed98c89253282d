import { shorten } from "@incipit/common";
import { DeadlineError, errorMessage, withDeadline, type Clock, type Contributions } from "@incipit/kernel";
import { filePartSchema, lazySchema, singleLine } from "@incipit/schema";
import {
  ServiceError,
  type CommandSource,
  type OfferedCommand,
  type OfferedMessage,
} from "@incipit/service-contract";
import * as z from "zod";

/** Timeout of the list, which is displayed while the user types. */
const listTimeoutMs = 10_000;
/** Includes the time to start a server for the command. */
const callTimeoutMs = 60_000;
const maxOffered = 1_000;
const maxReasonLength = 500;
const maxMessageLength = 1_048_576;

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
function lineKey() {
  return z.string().max(2_000).transform(singleLine).nullable();
}
const answerSchema = lazySchema(() =>
  z.object({
    commands: z.array(
      z.object({ name: z.string(), description: lineKey(), argumentHint: lineKey(), body: z.string() }),
    ),
    problems: z.array(z.string()),
  }),
);
const messageSchema = lazySchema(() =>
  z.object({
    text: z.string().max(maxMessageLength).regex(/\S/),
    files: z.array(
      filePartSchema
        .pick({ mediaType: true, data: true })
        .transform((file) => ({ type: "file" as const, ...file })),
    ),
  }),
);

export interface OfferContext {
  readonly sources: Pick<Contributions<CommandSource>, "current">;
  readonly clock: Clock;
}

export interface Offered extends OfferedCommand {
  readonly source: CommandSource;
}

export class OfferedCommands {
  readonly #context: OfferContext;

  constructor(context: OfferContext) {
    this.#context = context;
  }

  /** Rejects only when aborted: failing sources are reported as problems. */
  async list({
    call,
    signal,
  }: {
    readonly call?: string;
    readonly signal: AbortSignal;
  }): Promise<{ readonly items: readonly Offered[]; readonly problems: readonly string[] }> {
    const { current } = this.#context.sources;
    const isCore = ({ trust }: (typeof current)[number]): boolean => trust === "core";
    const sorted = [...current.filter(isCore), ...current.filter((one) => !isCore(one))];
    const answers = await Promise.all(sorted.map(({ value }) => this.#ask(value, { call, signal })));
    signal.throwIfAborted();
    const byName = new Map<string, Offered>();
    const problems: string[] = [];
    for (const answer of answers) {
      problems.push(...answer.problems);
      for (const offered of answer.items) {
        const { name } = offered;
        if (!namePattern.test(name))
          problems.push(`A command of "${offered.source.id}" is skipped: its name ${shown(name)} is not valid`);
        else if (byName.has(name))
          problems.push(
            `The command "${name}" of "${offered.source.id}" is skipped: another command has the same name`,
          );
        else if (byName.size < maxOffered) byName.set(name, offered);
      }
    }
    return { items: [...byName.values()], problems };
  }

  /** @throws {ServiceError} as the source does, and `COMMAND_FAILED` for other errors. */
  async expand(
    { source, name }: Offered,
    given: string,
    query: { readonly cwd: string; readonly isImported?: boolean; readonly signal: AbortSignal },
  ): Promise<z.output<typeof messageSchema>> {
    const { cwd, isImported, signal } = query;
    const call = given === "" ? { name } : { name, arguments: given };
    const made = await this.#inTime(callTimeoutMs, signal, (either): Promise<OfferedMessage> =>
      source.expand(call, { cwd, ...(isImported === undefined ? {} : { isImported }), signal: either }),
    ).catch((cause: unknown) => {
      signal.throwIfAborted();
      if (ServiceError.is(cause)) throw cause;
      throw new ServiceError("COMMAND_FAILED", `Cannot use the command "${name}": ${reasonOf(cause)}`, { cause });
    });
    const { data } = messageSchema.safeParse(made);
    if (data !== undefined) return data;
    const message = `Cannot use the command "${name}": "${source.id}" returned no valid message, or one that is too long`;
    throw new ServiceError("COMMAND_FAILED", message);
  }

  async #ask(
    source: CommandSource,
    { call, signal }: { readonly call: string | undefined; readonly signal: AbortSignal },
  ): Promise<{ readonly items: readonly Offered[]; readonly problems: readonly string[] }> {
    const without = (reason: string): { items: readonly Offered[]; problems: readonly string[] } => ({
      items: [],
      problems: [`The commands of "${source.id}": ${reason}`],
    });
    try {
      const timeoutMs = call === undefined ? listTimeoutMs : callTimeoutMs;
      const answer = await this.#inTime(timeoutMs, signal, (either) =>
        source.commands({ ...(call === undefined ? {} : { call }), signal: either }),
      );
      const { data } = answerSchema.safeParse(answer);
      if (data === undefined) return without("its answer is not a list of commands and problems");
      return { items: data.commands.map((command) => ({ ...command, source })), problems: data.problems };
    } catch (error) {
      return without(reasonOf(error));
    }
  }

  async #inTime<Result>(
    timeoutMs: number,
    signal: AbortSignal,
    work: (either: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ended = new AbortController();
    try {
      const either = AbortSignal.any([signal, ended.signal]);
      return await withDeadline(() => work(either), { timeoutMs, clock: this.#context.clock });
    } finally {
      ended.abort();
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DeadlineError) return `no answer within ${error.timeoutMs / 1_000} s`;
  return errorMessage(error).slice(0, maxReasonLength);
}

function shown(name: string): string {
  return JSON.stringify(shorten(name, 100));
}
