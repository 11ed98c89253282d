import type { ConversationSession, LiveQuestion, QuestionAnswer } from "@incipit/client/session";
import {
  answerProblems,
  describeRequester,
  type AnswerContent,
  type AnswerProblem,
  type AnswerValue,
  type Question,
  type QuestionField,
} from "@incipit/schema";
import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { words } from "../text/words.ts";
import { QuestionFieldInput } from "./question-field-input.tsx";

const said = words.question;

export function QuestionForm({
  asked: { question, action },
  session,
}: {
  readonly asked: LiveQuestion;
  readonly session: ConversationSession;
}): JSX.Element {
  const title = said.title(describeRequester(question.asker));
  return (
    <section class="approval" aria-label={title}>
      <h3 dir="auto">{title}</h3>
      <p class="question-message" dir="auto">
        {question.message}
      </p>
      {action === undefined ? (
        <OpenForm question={question} session={session} />
      ) : (
        <p role="status">{said.ends[action]}</p>
      )}
    </section>
  );
}

function OpenForm({
  question: { questionId, asker, fields },
  session,
}: {
  readonly question: Question;
  readonly session: ConversationSession;
}): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const prefix = useId();
  const [values, setValues] = useState<AnswerContent>(() => suggested(fields));
  const [problems, setProblems] = useState<readonly AnswerProblem[]>([]);
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const send = async (answer: QuestionAnswer): Promise<void> => {
    setError(undefined);
    setSending(true);
    await session.answerQuestion(questionId, answer).catch(setError);
    setSending(false);
  };
  const submit = (): void => {
    const found = answerProblems(fields, values);
    setProblems(found);
    const first = fields.findIndex(({ name }) => found.some(({ field }) => field === name));
    if (first === -1) void send({ action: "accept", content: { ...values } });
    else form.current?.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus();
  };
  const change = (name: string, value: AnswerValue | undefined): void => {
    setProblems((before) => before.filter(({ field }) => field !== name));
    setValues((before) => {
      const others = Object.entries(before).filter(([known]) => known !== name);
      return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
    });
  };
  return (
    <form
      ref={form}
      class="question"
      aria-label={said.title(describeRequester(asker))}
      noValidate // Shown next to the fields in the shared wording.
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields.map((field, index) => (
        <QuestionFieldInput
          key={field.name}
          field={field}
          id={`${prefix}-${index}`}
          place={index}
          value={values[field.name]}
          problem={problems.find((problem) => problem.field === field.name)?.message}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      <p class="quiet">{said.goesTo(describeRequester(asker))}</p>
      <div class="row">
        <button type="submit" class="main" disabled={isSending}>
          {fields.length === 0 ? said.accept : said.send}
        </button>
        <button type="button" disabled={isSending} onClick={() => void send({ action: "decline" })}>
          {said.decline}
        </button>
      </div>
      {error !== undefined && <Problem error={error} />}
    </form>
  );
}

function suggested(fields: readonly QuestionField[]): AnswerContent {
  return Object.fromEntries(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])),
  );
}
