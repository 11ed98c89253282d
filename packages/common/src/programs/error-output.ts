import type { Log } from "@incipit/kernel";
import { LineTooLong, linesOf } from "../lines/lines-of.ts";
import { statedReason } from "./stated-reason.ts";

const maxLines = 100;
const maxLineLength = 500;
/** Maximum number of kept lines; stack traces are seldom longer. */
const maxKept = 60;
const maxLineBytes = 1024 * 1024;

export interface ErrorOutputOptions {
  /** Name of the program as the subject of log messages, such as `The MCP server "files"`. */
  readonly who: string;
  readonly log: Log;
  readonly redact: (text: string) => string;
}

export class ErrorOutput {
  readonly #options: ErrorOutputOptions;
  #lines = 0;
  readonly #last: string[] = [];
  readonly ended: Promise<void>;

  constructor(stream: AsyncIterable<Uint8Array>, options: ErrorOutputOptions) {
    this.#options = options;
    this.ended = this.#read(stream);
  }

  /** Returns why the program ended, by its output; `""` if there was none. */
  get reason(): string {
    return statedReason(this.#last);
  }

  async #read(stream: AsyncIterable<Uint8Array>): Promise<void> {
    const { who, log, redact } = this.#options;
    try {
      for await (const { text } of linesOf(stream, maxLineBytes)) {
        this.#lines += 1;
        const shown = redact(text).slice(0, maxLineLength);
        this.#last.push(shown);
        if (this.#last.length > maxKept) this.#last.shift();
        if (this.#lines <= maxLines) log.info(`${who} prints: ${shown}`);
        else if (this.#lines === maxLines + 1)
          log.info(`${who} prints more than ${maxLines} lines; the rest is dropped`);
      }
    } catch (error) {
      if (!(error instanceof LineTooLong)) return; // The pipe broke with its program.
      log.warn(`${who} printed a line of more than ${maxLineBytes} bytes; no more is read`);
    }
  }
}
