import { errorMessage, type Clock, type Log } from "@incipit/kernel";
import { MessageRate } from "@incipit/common/programs";
import type { Tool, ValuesAnswer } from "@incipit/service-contract";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { AsyncLocalStorage } from "node:async_hooks";
import * as z from "zod";
import { maxUnaskedQuestions, messageWindowMs } from "./limits.ts";
import { requestedFields } from "./requested-fields.ts";
import { ServerFailure } from "./server-failure.ts";

export interface AskingCall extends Pick<Parameters<Tool["execute"]>[1], "conversationId" | "askValues"> {
  readonly onUnanswered: (why: string) => void;
}

/** Represents a call outside of conversations, whose server must not ask in any conversation. */
export function nobodysCall(): AskingCall {
  return { conversationId: "", onUnanswered: () => {} };
}

export interface ServerQuestionsOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly redact: (text: string) => string;
  /** The server only sends unanswerable questions. */
  readonly end: (failure: ServerFailure) => void;
}

interface ElicitationAnswer {
  readonly [key: string]: unknown;
  readonly action: ValuesAnswer["action"];
  readonly content?: Record<string, string | number | boolean | string[]>;
}

const formSchema = z.looseObject({
  mode: z.string().optional(),
  message: z.string(),
  requestedSchema: z.unknown(),
});

const cancelled: ElicitationAnswer = { action: "cancel" };

const unansweredWords: Readonly<Record<string, string>> = {
  unattended: "no user is there to answer it",
  expired: "it was not answered in time",
  limit: "the call has reached its limit of questions",
};

/** Asks in the conversation of the call that caused the question. */
export class ServerQuestions {
  readonly #options: ServerQuestionsOptions;
  readonly #calls = new Set<AskingCall>();
  /** Over HTTP, each response has its own stream, which contains its questions. */
  readonly #reading = new AsyncLocalStorage<AskingCall>();
  readonly #unasked: MessageRate;
  readonly #logged = new Set<string>();

  constructor(options: ServerQuestionsOptions) {
    this.#options = options;
    this.#unasked = new MessageRate(options.clock, { messages: maxUnaskedQuestions, windowMs: messageWindowMs });
  }

  async during<Result>(call: AskingCall, make: () => Promise<Result>): Promise<Result> {
    this.#calls.add(call);
    try {
      return await this.#reading.run(call, make);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** @throws {ProtocolError} for an unsupported form. */
  async answer(params: unknown, signal: AbortSignal): Promise<ElicitationAnswer> {
    const { data } = formSchema.safeParse(params);
    if (data === undefined || (data.mode ?? "form") !== "form")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This client takes forms alone");
    const call = this.#callOfQuestion();
    if (call?.askValues === undefined) {
      const why = this.#calls.size === 0 ? "outside of any call" : "in a call without a user to ask";
      this.#cancelled(
        call === undefined && this.#calls.size > 1 ? "while calls of several conversations run" : why,
      );
      return cancelled;
    }
    const { action, reason, content } = await this.#ask(call.askValues, data, signal);
    const why = unansweredWords[reason];
    if (why !== undefined) {
      call.onUnanswered(why);
      if (reason === "limit") this.#cancelled("more often than a call may");
    }
    return content === undefined ? { action } : { action, content: { ...content } };
  }

  async #ask(
    askValues: NonNullable<AskingCall["askValues"]>,
    { message, requestedSchema }: z.infer<typeof formSchema>,
    signal: AbortSignal,
  ): Promise<ValuesAnswer> {
    const { redact } = this.#options;
    try {
      const fields = requestedFields(requestedSchema);
      const text = JSON.stringify(fields);
      if (redact(text) !== text) throw new Error("requestedSchema holds a secret of the server");
      return await askValues({ message: redact(message), fields, signal });
    } catch (error) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorMessage(error));
    }
  }

  /** Without a stream, the call is only known while all calls belong to one conversation. */
  #callOfQuestion(): AskingCall | undefined {
    const reading = this.#reading.getStore();
    if (reading !== undefined && this.#calls.has(reading)) return reading;
    const calls = [...this.#calls];
    const newest = calls.at(-1);
    return calls.every(({ conversationId }) => conversationId === newest?.conversationId) ? newest : undefined;
  }

  #cancelled(when: string): void {
    const { name, log, end } = this.#options;
    if (this.#unasked.take(1)) {
      if (!this.#logged.has(when))
        log.warn(`The MCP server "${name}" asked the user something ${when}; it was cancelled`);
      this.#logged.add(when);
      return;
    }
    end(
      new ServerFailure(
        `asked more than ${maxUnaskedQuestions} questions without a user to ask within ${messageWindowMs / 1_000} s`,
      ),
    );
  }
}
