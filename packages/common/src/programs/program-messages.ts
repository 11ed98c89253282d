import {
  isJsonTextTooDeep,
  isJsonTextTooWide,
  tooWideText,
  type Clock,
  type Log,
  type RunningProgram,
} from "@incipit/kernel";
import { ErrorOutput } from "./error-output.ts";
import { LineTooLong, linesOf, type StreamLine } from "../lines/lines-of.ts";
import { yieldToEventLoop, MessageRate } from "./message-rate.ts";

export interface MessageLimits {
  /** Maximum size of a message, and of buffered input. */
  readonly maxBytes: number;
  /** Maximum nesting of a message; deeper ones are skipped. */
  readonly maxDepth: number;
  readonly maxMessages: number;
  readonly windowMs: number;
}

export interface SkippedLines {
  readonly count: number;
  /** Start of the first skipped line, without secrets. */
  readonly first: string;
}

export interface ProgramMessagesOptions {
  /** Name of the program as the subject of log messages, such as `The MCP server "files"`. */
  readonly who: string;
  /** Name of a message in log messages, such as `an MCP message`. */
  readonly what: string;
  readonly program: RunningProgram;
  readonly log: Log;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly limits: MessageLimits;
  /** Throws for an invalid message. Awaited before the next line is read. */
  readonly onMessage: (message: unknown) => void | Promise<void>;
  /** Handles a line of invalid JSON, such as a partial message; returns whether it did. */
  readonly onBroken?: (line: string) => boolean;
  readonly onSkipped?: (skipped: SkippedLines) => void;
  /** Called once: `ended (exit code 1)`; `undefined` when closed without a reason. */
  readonly onEnd: (reason: string | undefined) => void;
}

/** For remaining output of a program that has ended. */
const lastWordsMs = 200;

/** Invalid lines are skipped and reported once. */
export class ProgramMessages {
  readonly #options: ProgramMessagesOptions;
  readonly #errors: ErrorOutput;
  readonly #rate: MessageRate;
  #unsentBytes = 0;
  #skipped: SkippedLines = { count: 0, first: "" };
  #hasEnded = false;
  #isCounting = true;

  constructor(options: ProgramMessagesOptions) {
    const { clock, limits, program } = options;
    this.#options = options;
    this.#rate = new MessageRate(clock, { messages: limits.maxMessages, windowMs: limits.windowMs });
    this.#errors = new ErrorOutput(program.stderr, options);
  }

  /** Call once. */
  start(): void {
    void this.#read();
  }

  /** `false` lifts the limit of messages, for requested replays. */
  set isCounting(isCounting: boolean) {
    this.#isCounting = isCounting;
  }

  /** Adds the line's terminator. Resolves once the pipe has taken it. */
  async send(line: string): Promise<void> {
    const bytes = new TextEncoder().encode(`${line}\n`);
    this.#unsentBytes += bytes.length;
    try {
      // Answers to endless requests of a program that never reads would exhaust memory.
      if (this.#unsentBytes > this.#options.limits.maxBytes) await this.#end("does not read its input");
      else await this.#options.program.write(bytes);
    } finally {
      this.#unsentBytes -= bytes.length;
    }
  }

  /** @param reason Passed to `onEnd`, if not yet called. */
  async close(reason?: string): Promise<void> {
    await this.#end(reason);
  }

  async #read(): Promise<void> {
    const { program, clock, limits } = this.#options;
    const { maxBytes, maxDepth, maxMessages, windowMs } = limits;
    try {
      for await (const line of linesOf(program.stdout, maxBytes)) {
        if (this.#hasEnded) return;
        if (this.#isCounting && !this.#rate.take(1)) {
          await this.#end(`sent more than ${maxMessages} messages within ${windowMs / 1_000} s`);
          return;
        }
        if (isJsonTextTooWide(line.text) && !isJsonTextTooDeep(line.text, maxDepth)) {
          await this.#end(`sent a message ${tooWideText}`);
          return;
        }
        await this.#take(line);
        await yieldToEventLoop();
      }
    } catch (error) {
      if (error instanceof LineTooLong) {
        await this.#end(`sent a message of more than ${maxBytes} bytes`);
        return;
      }
      // The pipe broke with its program, whose exit is more informative.
    }
    const lastWords = Promise.withResolvers<void>();
    const cancel = clock.setTimer(lastWords.resolve, lastWordsMs);
    const end = await Promise.race([Promise.all([program.ended, this.#errors.ended]), lastWords.promise]);
    cancel();
    const { reason } = this.#errors;
    const said = reason === "" ? "" : `: ${reason}`;
    if (end === undefined) await this.#end(`closed its output${said}`);
    else await this.#end(`ended (${end[0].signal ?? `exit code ${end[0].exitCode}`})${said}`);
  }

  async #take({ text, hasEnd }: StreamLine): Promise<void> {
    let taken: void | Promise<void>;
    try {
      taken = this.#options.onMessage(this.#parse(text));
    } catch (error) {
      // If the program ended within a line, its exit is more informative.
      const isBroken = error instanceof UnreadableLine && hasEnd;
      if (!isBroken || this.#options.onBroken?.(text) !== true) this.#skip(text);
      return;
    }
    await taken;
  }

  /** @throws {UnreadableLine} */
  #parse(line: string): unknown {
    if (isJsonTextTooDeep(line, this.#options.limits.maxDepth)) throw new UnreadableLine("It is nested too deeply");
    const value = parsed(line);
    if (value.kind === "parsed") return value.value;
    // A program that logs to stdout does not always end the line before its message.
    const from = line.indexOf('{"jsonrpc"', 1);
    const rest = from === -1 ? value : parsed(line.slice(from));
    if (rest.kind === "parsed") return rest.value;
    throw new UnreadableLine("It is not JSON");
  }

  #skip(line: string): void {
    const { who, what, log, redact, onSkipped } = this.#options;
    const { count } = this.#skipped;
    const first = count === 0 ? redact(line.slice(0, 1_000)).slice(0, 200) : this.#skipped.first;
    this.#skipped = { count: count + 1, first };
    onSkipped?.(this.#skipped);
    if (count === 0) log.warn(`${who} printed something that is not ${what}; it is skipped: ${first}`);
  }

  async #end(reason?: string): Promise<void> {
    const { program, log, who, onEnd } = this.#options;
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      const { count } = this.#skipped;
      if (count > 1) log.warn(`${who} printed ${count} lines that were skipped`);
      onEnd(reason);
    }
    await program.stop();
  }
}

class UnreadableLine extends Error {
  override readonly name = "UnreadableLine";
}

function parsed(text: string): { readonly kind: "parsed"; readonly value: unknown } | { readonly kind: "broken" } {
  try {
    return { kind: "parsed", value: JSON.parse(text) };
  } catch {
    return { kind: "broken" };
  }
}
