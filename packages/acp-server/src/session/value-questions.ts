import type { PermissionOption } from "@agentclientprotocol/sdk/unstable";
import {
  answerValueSchema,
  describeRequester,
  type AnswerContent,
  type ConversationId,
  type Question,
  type QuestionAction,
  type QuestionId,
} from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import * as z from "zod";
import type { HostLink } from "../host/host-link.ts";
import { textContent } from "../tools/tool-view.ts";
import type { Editor } from "./editor.ts";
import { formSchema } from "./form-schema.ts";

export interface ValueQuestionsOptions {
  readonly conversationId: ConversationId;
  readonly link: HostLink;
  readonly editor: Editor;
  readonly notice: (question: Question, text: string) => Promise<void>;
  readonly log: (line: string) => void;
}

function askedText({ asker, message }: Pick<Question, "asker" | "message">): string {
  return `${describeRequester(asker)} asks: ${message}`;
}

interface Said {
  readonly action: QuestionAction;
  readonly content?: AnswerContent;
}

const maxButtons = 8;

const contentSchema = z.record(z.string(), answerValueSchema);

/** A form if supported, or buttons for a single choice. The first answer from any client counts. */
export class ValueQuestions {
  readonly #options: ValueQuestionsOptions;
  readonly #open = new Map<string, AbortController>();

  constructor(options: ValueQuestionsOptions) {
    this.#options = options;
  }

  /** Does not wait; ignores a question that is already shown. */
  ask(question: Question): void {
    const { questionId } = question;
    if (this.#open.has(questionId)) return;
    const ended = new AbortController();
    this.#open.set(questionId, ended);
    void this.#askAndAnswer(question, ended.signal)
      .catch((error: unknown) => this.#options.log(`Cannot forward a tool's question: ${String(error)}`))
      .finally(() => this.#open.delete(questionId));
  }

  end(questionId: string): void {
    this.#open.get(questionId)?.abort();
  }

  async cancel(questionId: QuestionId): Promise<void> {
    await this.#answer(questionId, { action: "cancel" }, { isUnattended: true });
  }

  /** Closes the forms in the editor; the host keeps the questions open. */
  close(): void {
    for (const ended of this.#open.values()) ended.abort();
  }

  async #askAndAnswer(question: Question, signal: AbortSignal): Promise<void> {
    const { editor, notice } = this.#options;
    const buttons = buttonsOf(question);
    if (editor.hasForms) {
      const said = await this.#askForm(question, signal);
      if (said !== undefined) await this.#answer(question.questionId, said);
      return;
    }
    if (buttons === undefined) {
      const text = `${askedText(question)}\nThis editor cannot show its form, so it was declined`;
      await notice(question, text);
      await this.#answer(question.questionId, { action: "decline" });
      return;
    }
    const said = await this.#askButtons(question, { buttons, signal });
    if (said !== undefined) await this.#answer(question.questionId, said);
  }

  /** `undefined` if not answered here: other clients may still answer. */
  async #askForm(question: Question, signal: AbortSignal): Promise<Said | undefined> {
    const { conversationId: sessionId, editor, log } = this.#options;
    const { toolCallId, fields } = question;
    const asked = {
      sessionId,
      toolCallId,
      message: askedText(question),
      requestedSchema: formSchema(fields),
    };
    const answer = await editor.askForm(asked, signal);
    if (signal.aborted || answer === undefined) return undefined;
    if (answer.action === "decline") return { action: "decline" };
    if (answer.action !== "accept") return { action: "cancel" };
    const content = contentSchema.safeParse("content" in answer ? (answer.content ?? {}) : {});
    if (content.success) return { action: "accept", content: content.data };
    log("The editor sent an invalid form answer: the question was cancelled");
    return { action: "cancel" };
  }

  async #askButtons(
    question: Question,
    { buttons, signal }: { readonly buttons: Buttons; readonly signal: AbortSignal },
  ): Promise<Said | undefined> {
    const { conversationId: sessionId, editor } = this.#options;
    const { toolCallId } = question;
    const options: PermissionOption[] = [
      ...buttons.map(({ label }, index) => ({ optionId: String(index), name: label, kind: "allow_once" as const })),
      { optionId: "decline", name: "Decline", kind: "reject_once" },
    ];
    const content = [askedText(question), ...question.fields.flatMap(wordsOf)].map(textContent);
    const toolCall = { toolCallId, title: `${describeRequester(question.asker)} asks`, content };
    const permission = await editor.askPermission({ sessionId, toolCall, options }, signal);
    if (signal.aborted || permission.kind === "gone") return undefined;
    // A dismissed question is not declined.
    if (permission.kind === "none") return { action: "cancel" };
    const chosen = buttons[Number(permission.optionId)];
    return chosen === undefined ? { action: "decline" } : { action: "accept", content: chosen.content };
  }

  async #answer(
    questionId: QuestionId,
    { action, content }: Said,
    { isUnattended = false }: { readonly isUnattended?: boolean } = {},
  ): Promise<void> {
    const { conversationId: id, link, log } = this.#options;
    const body = {
      action,
      ...(content === undefined ? {} : { content: { ...content } }),
      ...(isUnattended ? { unattended: true } : {}),
    };
    try {
      await link.call((client) => client.call(routes.answerQuestion, { params: { id, questionId }, body }));
    } catch (error) {
      if (error instanceof ApiClientError && error.code === "QUESTION_ENDED") return;
      log(`The answer to a question of a tool did not reach the host: ${String(error)}`);
      if (error instanceof ApiClientError && error.code === "ANSWER_INVALID")
        await this.#answer(questionId, { action: "cancel" }); // The editor no longer shows it.
    }
  }
}

type Buttons = readonly { readonly label: string; readonly content: AnswerContent }[];

/** `undefined` if one press cannot answer it. */
function buttonsOf({ fields }: Question): Buttons | undefined {
  const [field, second] = fields;
  if (field === undefined) return [{ label: "Yes", content: {} }];
  if (second !== undefined) return undefined;
  if (field.kind === "boolean")
    return [
      { label: "Yes", content: { [field.name]: true } },
      { label: "No", content: { [field.name]: false } },
    ];
  if (field.kind !== "choice" || field.options.length > maxButtons) return undefined;
  return field.options.map(({ value, title }) => ({ label: title, content: { [field.name]: value } }));
}

function wordsOf({ name, title = name, description }: Question["fields"][number]): readonly string[] {
  return [description === undefined ? title : `${title}: ${description}`];
}
