import type { ConversationSession, LiveQuestion, QuestionAnswer } from "@incipit/client/session";
import {
  answerProblems,
  describeRequester,
  type AnswerContent,
  type AnswerProblem,
  type AnswerValue,
  type QuestionField,
} from "@incipit/schema";
import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Button, Paragraph, submitting } from "../controls/fields.tsx";
import { useTrying } from "../controls/problem.tsx";
import { words } from "../text/words.ts";
import { QuestionFieldInput } from "./question-field-input.tsx";

const said = words.question;

interface QuestionFormProps {
  readonly asked: LiveQuestion;
  readonly session: ConversationSession;
}

export function QuestionForm({ asked, session }: QuestionFormProps): JSX.Element {
  const { question, action } = asked;
  const title = said.title(describeRequester(question.asker));
  return (
    <section class="approval" aria-label={title}>
      <h3 dir="auto">{title}</h3>
      <Paragraph class="question-message">{question.message}</Paragraph>
      {action === undefined ? (
        <OpenForm asked={asked} session={session} />
      ) : (
        <p role="status">{said.ends[action]}</p>
      )}
    </section>
  );
}

function OpenForm({ asked, session }: QuestionFormProps): JSX.Element {
  const { questionId, asker, fields } = asked.question;
  const form = useRef<HTMLFormElement>(null);
  const prefix = useId();
  const [values, setValues] = useState<AnswerContent>(() => suggested(fields));
  const [problems, setProblems] = useState<readonly AnswerProblem[]>([]);
  const { trying, problem, isRunning } = useTrying();
  const send = (answer: QuestionAnswer): Promise<boolean> =>
    trying(() => session.answerQuestion(questionId, answer));
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
      onSubmit={submitting(submit)}
    >
      {fields.map((field, index) => (
        <QuestionFieldInput
          key={field.name}
          field={field}
          id={`${prefix}-${index}`}
          place={index}
          value={values[field.name]}
          problem={problems.find((found) => found.field === field.name)?.message}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      <p class="quiet">{said.goesTo(describeRequester(asker))}</p>
      <div class="row">
        <Button
          text={fields.length === 0 ? said.accept : said.send}
          type="submit"
          class="main"
          disabled={isRunning}
        />
        <Button text={said.decline} disabled={isRunning} onClick={() => void send({ action: "decline" })} />
      </div>
      {problem}
    </form>
  );
}

function suggested(fields: readonly QuestionField[]): AnswerContent {
  return Object.fromEntries(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])),
  );
}
