import { ApiClientError, routes, type Client } from "@incipit/transport-contract";
import type * as z from "zod";
import { errorText } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";

type AnswerBody = z.input<typeof routes.answerQuestion.body>;

/** Never rejects; an answer to a question that has already ended is not an error. */
export async function sendAnswer(
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
