import {
  ApiClientError,
  routes,
  type ApprovalDecision,
  type Client,
  type TurnEvent,
} from "@incipit/transport-contract";
import { clippedLine } from "../shown-text.ts";
import { errorText } from "./error-text.ts";
import type { Output } from "./output.ts";

type ApprovalRequest = Extract<TurnEvent, { type: "approval-request" }>;

/** Asks whoever sits at the terminal; rejects once `signal` aborts. An end of the input is an empty answer. */
export type AskPerson = (question: string, options: { readonly signal: AbortSignal }) => Promise<string>;

export interface ApprovalQuestionsOptions {
  readonly client: Client;
  readonly conversationId: string;
  readonly output: Output;
  /** `undefined`: nobody is there, and what would be asked is denied. */
  readonly askPerson: AskPerson | undefined;
  /** Aborts when the turn is to be stopped. */
  readonly signal: AbortSignal;
}

/** Longest text of a tool's input that is shown in a question. */
const maxCharacters = 2_000;

/** Whether the tool calls of a turn may run: one question at a time, until it is answered here or elsewhere. */
export class ApprovalQuestions {
  readonly #options: ApprovalQuestionsOptions;
  readonly #open = new Map<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: ApprovalQuestionsOptions) {
    this.#options = options;
  }

  /** Takes in an event of the turn; does not wait for the person. */
  take(event: TurnEvent): void {
    if (event.type === "approval-end") this.#open.get(event.approvalId)?.abort();
    if (event.type !== "approval-request") return;
    const ended = new AbortController();
    this.#open.set(event.approvalId, ended);
    const signal = AbortSignal.any([ended.signal, this.#options.signal]);
    this.#last = this.#last.then(async () => {
      if (!signal.aborted) await this.#ask(event, signal);
      this.#open.delete(event.approvalId);
    });
  }

  /** Ends what is still being asked; resolves when nothing is any more. */
  async close(): Promise<void> {
    for (const ended of this.#open.values()) ended.abort();
    await this.#last;
  }

  async #ask(request: ApprovalRequest, signal: AbortSignal): Promise<void> {
    const { askPerson, conversationId, output } = this.#options;
    const { approvalId, name, input } = request;
    if (askPerson === undefined) {
      const how = `POST /conversations/${conversationId}/approvals/APPROVAL_ID of the HTTP API allows a call`;
      output.errLine(
        `Denied "${clippedLine(name, { maxCharacters })}": there is no terminal to ask at. ${how} while it waits`,
      );
      return this.#answer(approvalId, "deny");
    }
    const question = `The model calls "${clippedLine(name, { maxCharacters })}" with ${clippedLine(input, { maxCharacters })}\nAllow it? [y/N/always] `;
    const said = await askPerson(question, { signal }).catch(() => ""); // Input that has ended agrees to nothing.
    if (!signal.aborted) return this.#answer(approvalId, decisionOf(said));
    output.errLine(""); // It is over: behind the question, what comes next begins a line of its own.
    return undefined;
  }

  async #answer(approvalId: string, decision: ApprovalDecision): Promise<void> {
    const { client, conversationId: id, output } = this.#options;
    try {
      await client.call(routes.answerApproval, { params: { id, approvalId }, body: { decision } });
    } catch (error) {
      const isOver = error instanceof ApiClientError && error.code === "APPROVAL_ENDED";
      if (!isOver) output.errLine(`The answer did not reach the host: ${errorText(error)}`);
    }
  }
}

/** What is not clearly an agreement is none. */
function decisionOf(answer: string): ApprovalDecision {
  const word = answer.trim().toLowerCase();
  if (word === "y" || word === "yes") return "allow";
  return word === "always" ? "allow-always" : "deny";
}
