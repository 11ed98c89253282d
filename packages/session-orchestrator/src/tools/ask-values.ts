import type { ValuesAnswer, ValuesQuestion } from "@incipit/service-contract";
import { parseQuestion } from "./parse-question.ts";
import type { CallProgress } from "./call-progress.ts";
import type { QuestionOfCall, Questions } from "./questions.ts";

const maxQuestions = 20;

/** The call's timeout is paused during a question. */
export function askValues(
  questions: Questions,
  { progress, ...call }: Omit<QuestionOfCall, "asked" | "withdrawn"> & { readonly progress: CallProgress },
): (question: ValuesQuestion) => Promise<ValuesAnswer> {
  let count = 0;
  return async (question) => {
    if (call.signal.aborted) return { action: "cancel", reason: "stopped" };
    const asked = parseQuestion(question);
    count += 1;
    if (count > maxQuestions) return { action: "cancel", reason: "limit" };
    const go = progress.hold();
    try {
      return await questions.ask({ ...call, asked, withdrawn: question.signal });
    } finally {
      go();
    }
  };
}
