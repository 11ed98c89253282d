import { shellWord } from "@incipit/cli-text";
import type { ApprovalDecision, TurnEvent } from "@incipit/schema";
import { ApiClientError, type Client, routes } from "@incipit/transport-contract";
import type { AskPerson } from "../questions/ask-at-terminal.ts";
import { askValues } from "./ask-values.ts";
import { quotedName } from "@incipit/cli-text/questions";
import { errorText } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";
import { approvalText, partsOf, toolName, unreadable } from "./approval-text.ts";
import type * as z from "zod";

type ApprovalRequest = Extract<TurnEvent, { type: "approval-request" }>;
type QuestionRequest = Extract<TurnEvent, { type: "question-request" }>;

interface ApprovalQuestionsOptions {
  readonly client: Client;
  readonly conversationId: string;
  readonly output: Output;
  /** `undefined`: calls that need approval are denied. */
  readonly askPerson: AskPerson | undefined;
  readonly stop: () => void;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly decision: ApprovalDecision;
  readonly scope?: string;
  /** Also holds in later conversations of the folder. */
  readonly forFolder?: true;
}

const deny: Answer = { decision: "deny" };
const answers: ReadonlyMap<string, Answer> = new Map([
  ["y", { decision: "allow" }],
  ["yes", { decision: "allow" }],
  ["always", { decision: "allow-always" }],
  ["", deny],
  ["n", deny],
  ["no", deny],
]);

/** Presents one at a time. An answer from elsewhere withdraws it. */
export class ApprovalQuestions {
  readonly #options: ApprovalQuestionsOptions;
  readonly #open = new Map<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: ApprovalQuestionsOptions) {
    this.#options = options;
  }

  take(event: TurnEvent): void {
    if (event.type === "approval-end") this.#open.get(event.approvalId)?.abort();
    if (event.type === "question-end") this.#open.get(event.questionId)?.abort();
    if (event.type === "approval-request") this.#takeUp(event.approvalId, (signal) => this.#ask(event, signal));
    if (event.type === "question-request")
      this.#takeUp(event.questionId, (signal) => this.#askValues(event, signal));
  }

  #takeUp(id: string, ask: (signal: AbortSignal) => Promise<void>): void {
    const ended = new AbortController();
    this.#open.set(id, ended);
    const signal = AbortSignal.any([ended.signal, this.#options.signal]);
    this.#last = this.#last.then(async () => {
      try {
        if (!signal.aborted) await ask(signal);
      } catch (error) {
        // The request stays open at the host, and the next ones follow.
        this.#options.output.errLine(
          `A question could not be asked (${errorText(error)}); answer it with: incipit approve, incipit answer`,
        );
      } finally {
        this.#open.delete(id);
      }
    });
  }

  async close(): Promise<void> {
    for (const ended of this.#open.values()) ended.abort();
    await this.#last;
  }

  async #ask(request: ApprovalRequest, signal: AbortSignal): Promise<void> {
    const { askPerson, output } = this.#options;
    const { approvalId, name } = request;
    const refusal = askPerson === undefined ? "there is no terminal to ask at" : unreadable(request);
    if (askPerson === undefined || refusal !== undefined) {
      output.errLine(
        `Denied ${toolName(name)}: ${refusal ?? ""}.${beforehand(request)} With incipit run "…" --background it would wait for your answer (incipit approve ID)`,
      );
      return this.#answer(approvalId, deny, { isUnattended: askPerson === undefined });
    }
    output.err(approvalText(request, { width: output.errWidth }));
    let answer: Answer | undefined;
    {
      using _ = output.hold();
      answer = await this.#said(askPerson, request, signal);
    }
    if (answer !== undefined) await this.#answer(approvalId, answer);
  }

  /** Repeats after an invalid answer; `undefined` when answered elsewhere or ended. */
  async #said(
    askPerson: AskPerson,
    { scopes: all = [], forFolder }: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { output, stop } = this.#options;
    const scopes = partsOf(all);
    const numbers = scopes.map((_, index) => String(index + 1));
    const asked = `Allow it${numbers.length === 0 ? "" : ` (${numbers.join(", ")}: as above)`}? [y/N/always] `;
    const words = ["y", "n", ...numbers].map((word) => `"${word}"`).join(", ");
    let question = asked;
    for (;;) {
      // An invalid answer may be the start of a message that the user was typing.
      const said = await askPerson(question, { signal, comesByItself: true }).catch(() => undefined);
      if (said === undefined) return undefined;
      if (said.kind !== "answer") {
        output.errLine(said.kind === "end" ? "Denied: the input has ended" : "Denied: the turn is stopped");
        if (said.kind === "interrupt") stop();
        return deny;
      }
      const text = said.text.trim().toLowerCase();
      const word = forFolder === undefined ? text : text.replace(/\s+folder$/, "");
      const scope = scopes[numbers.indexOf(word)];
      const answer =
        scope === undefined ? answers.get(word) : ({ decision: "allow-always", scope: scope.id } as const);
      if (answer !== undefined && word === text) return answer;
      if (answer?.decision === "allow-always") return { ...answer, forFolder: true };
      question = `Please answer ${words} or "always". ${asked}`;
    }
  }

  async #askValues(question: QuestionRequest, signal: AbortSignal): Promise<void> {
    const { client, conversationId, askPerson, output, stop } = this.#options;
    const { questionId, from } = question;
    const send = { client, conversationId, questionId, output };
    if (askPerson === undefined) {
      output.errLine(
        `${quotedName(from)} asks something, and there is no terminal to ask at: cancelled. With incipit run "…" --background it would wait for your answer (incipit answer ID)`,
      );
      return sendAnswer({ action: "cancel", unattended: true }, send);
    }
    const said = await askValues(question, { askPerson, output, stop, signal });
    if (said?.action === "accept") await sendAnswer({ action: "accept", content: { ...said.content } }, send);
    else if (said !== undefined) await sendAnswer({ action: said.action }, send);
  }

  async #answer(
    approvalId: string,
    answer: Answer,
    { isUnattended = false }: { readonly isUnattended?: boolean } = {},
  ): Promise<void> {
    const { client, conversationId: id, output } = this.#options;
    try {
      await client.call(routes.answerApproval, {
        params: { id, approvalId },
        body: { ...answer, ...(isUnattended ? { unattended: true } : {}) },
      });
    } catch (error) {
      const isOver = error instanceof ApiClientError && error.code === "APPROVAL_ENDED";
      if (!isOver) output.errLine(`The answer did not reach the host: ${errorText(error)}`);
    }
  }
}

/** Longer grants are not practical to copy. */
const maxGrantLength = 200;

function beforehand({ scopes = [] }: ApprovalRequest): string {
  const grants = scopes[0]?.grants ?? [];
  const isPlain = (grant: string): boolean => grant.length <= maxGrantLength && /^[\x20-\x7E]+$/.test(grant);
  if (grants.length === 0 || !grants.every(isPlain)) return "";
  return ` To allow it beforehand: ${grants.map((grant) => `--allow ${shellWord(grant)}`).join(" ")}.`;
}

type AnswerBody = z.input<typeof routes.answerQuestion.body>;

/** Never rejects; an answer to a question that has already ended is not an error. */
async function sendAnswer(
  body: AnswerBody,
  {
    client,
    conversationId: id,
    questionId,
    output,
  }: {
    readonly client: Client;
    readonly conversationId: string;
    readonly questionId: string;
    readonly output: Output;
  },
): Promise<void> {
  try {
    await client.call(routes.answerQuestion, { params: { id, questionId }, body });
  } catch (error) {
    const isOver = error instanceof ApiClientError && error.code === "QUESTION_ENDED";
    if (!isOver) output.errLine(`The answer did not reach the host: ${errorText(error)}`);
  }
}
