import type { Clock, Log, RunningProgram } from "@incipit/kernel";
import { OpenRequests, ProgramMessages, type SkippedLines } from "@incipit/common/programs";
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { maxMessageBytes, maxMessageDepth, maxMessages, messageWindowMs } from "./limits.ts";
import { mendedAnswer, mendedParams } from "./mended-answer.ts";
import { ServerFailure } from "./server-failure.ts";

export interface StdioTransportOptions {
  readonly server: string;
  readonly program: RunningProgram;
  readonly log: Log;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly onSkipped?: (skipped: SkippedLines) => void;
  readonly onEnd: (reason: ServerFailure) => void;
}

const limits = {
  maxBytes: maxMessageBytes,
  maxDepth: maxMessageDepth,
  maxMessages,
  windowMs: messageWindowMs,
} as const;

/** An invalid line is skipped and logged once. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #messages: ProgramMessages;
  readonly #open = new OpenRequests({ mend: mendedAnswer, mendParams: mendedParams });

  constructor({ server, onEnd, ...options }: StdioTransportOptions) {
    this.#messages = new ProgramMessages({
      ...options,
      who: `The MCP server "${server}"`,
      what: "an MCP message",
      limits,
      onMessage: (message) => this.#take(this.#open.read(message)),
      onBroken: (line) => {
        const failed = this.#open.readBroken(line);
        this.#take(failed);
        return failed.length > 0;
      },
      onEnd: (reason) => {
        if (reason !== undefined) onEnd(new ServerFailure(reason));
        this.onclose?.();
      },
    });
  }

  async start(): Promise<void> {
    this.#messages.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#open.note(message);
    await this.#messages.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    await this.#messages.close();
  }

  #take(messages: ReturnType<OpenRequests["read"]>): void {
    for (const message of messages) this.onmessage?.(parseJSONRPCMessage(message));
  }
}
