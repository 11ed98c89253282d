import {
  isJsonTextTooDeep,
  isJsonTextTooWide,
  tooWideText,
  type Clock,
  type Log,
  type RunningProgram,
} from "@incipit/kernel";
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { ErrorOutput } from "./error-output.ts";
import { LineTooLong, linesOf } from "./json-lines.ts";
import { maxMessageBytes, maxMessageDepth, maxMessages, messageWindowMs } from "./limits.ts";
import { breath, MessageRate } from "./message-rate.ts";
import { ServerFailure } from "./server-failure.ts";

export interface StdioTransportOptions {
  readonly server: string;
  readonly program: RunningProgram;
  readonly log: Log;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** Told once, of why there is nothing more to come. */
  readonly onEnd: (reason: ServerFailure) => void;
}

/** What is left in the pipe of a program that has ended is waited for no longer. */
const lastWordsMs = 200;

/** Messages of JSON-RPC as lines of a program; what is no message is skipped, and said once. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: StdioTransportOptions;
  readonly #errors: ErrorOutput;
  readonly #rate: MessageRate;
  #unsentBytes = 0;
  #skipped = 0;
  #hasEnded = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#rate = new MessageRate(options.clock);
    this.#errors = new ErrorOutput(options.program.stderr, options);
  }

  async start(): Promise<void> {
    void this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#unsentBytes += bytes.length;
    try {
      // Answers to a server that asks and asks, and never reads, would fill the memory.
      if (this.#unsentBytes > maxMessageBytes) await this.#end("does not read what it is sent");
      else await this.#options.program.write(bytes);
    } finally {
      this.#unsentBytes -= bytes.length;
    }
  }

  /** Stops the program; `onEnd` is not told of what was asked for. */
  async close(): Promise<void> {
    await this.#end();
  }

  async #read(): Promise<void> {
    const { program, clock } = this.#options;
    try {
      for await (const line of linesOf(program.stdout, maxMessageBytes)) {
        if (this.#hasEnded) return;
        if (!this.#rate.take(1)) {
          await this.#end(`sent more than ${maxMessages} messages within ${messageWindowMs / 1_000} s`);
          return;
        }
        if (isJsonTextTooWide(line) && !isJsonTextTooDeep(line, maxMessageDepth)) {
          await this.#end(`sent a message ${tooWideText}`);
          return;
        }
        this.#take(line);
        await breath();
      }
    } catch (error) {
      if (error instanceof LineTooLong) {
        await this.#end(`sent a message of more than ${maxMessageBytes} bytes`);
        return;
      }
      // The pipe broke with its program: how that one ended says more.
    }
    const lastWords = Promise.withResolvers<void>();
    const cancel = clock.setTimer(lastWords.resolve, lastWordsMs);
    const end = await Promise.race([Promise.all([program.ended, this.#errors.ended]), lastWords.promise]);
    cancel();
    const said = this.#errors.last === "" ? "" : `: ${this.#errors.last}`;
    if (end === undefined) await this.#end(`closed its output${said}`);
    else await this.#end(`ended (${end[0].signal ?? `exit code ${end[0].exitCode}`})${said}`);
  }

  #take(line: string): void {
    let message: JSONRPCMessage;
    try {
      if (isJsonTextTooDeep(line, maxMessageDepth)) throw new SyntaxError("It is nested too deeply");
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch {
      this.#skipped += 1;
      if (this.#skipped > 1) return;
      const { server, log, redact } = this.#options;
      const example = redact(line.slice(0, 1_000)).slice(0, 200);
      log.warn(
        `The MCP server "${server}" printed something that is not an MCP message; it is skipped: ${example}`,
      );
      return;
    }
    this.onmessage?.(message);
  }

  async #end(reason?: string): Promise<void> {
    const { program, log, server, onEnd } = this.#options;
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      if (this.#skipped > 1)
        log.warn(`The MCP server "${server}" printed ${this.#skipped} lines that were skipped`);
      if (reason !== undefined) onEnd(new ServerFailure(reason));
      this.onclose?.();
    }
    await program.stop();
  }
}
