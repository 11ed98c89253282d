import { turnEventSchema } from "@incipit/schema";
import { createClient } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import type { AskPerson } from "../questions/ask-at-terminal.ts";
import type { AnswerEnd } from "../terminal/answer-line.ts";
import { recordOutput } from "../testing/recorded-output.ts";
import { ApprovalQuestions } from "./approval-questions.ts";

const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";

interface Asked {
  readonly decisions: readonly unknown[];
  readonly questions: number;
  readonly lastQuestion: string;
  readonly screen: string;
  readonly stops: number;
  readonly stderr: string;
  readonly waited: readonly (boolean | undefined)[];
}

async function ask(input: string, ends: readonly AnswerEnd[] | undefined): Promise<Asked> {
  const decisions: unknown[] = [];
  using host = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      decisions.push(await request.json());
      return Response.json({ approvalId: id, decision: "deny" });
    },
  });
  let questions = 0;
  let stops = 0;
  let lastQuestion = "";
  let screen = "";
  const waited: (boolean | undefined)[] = [];
  const { output, stdout, stderr } = recordOutput();
  const askPerson: AskPerson = async (question, { comesByItself }) => {
    lastQuestion = question;
    waited.push(comesByItself);
    output.errLine(meanwhile);
    output.outExact(meanwhile);
    await new Promise((resolve) => setImmediate(resolve));
    screen = stderr() + stdout();
    return ends?.[questions++] ?? { kind: "end" };
  };
  const approvals = new ApprovalQuestions({
    client: createClient({ url: host.url.origin, token: "token" }),
    conversationId: id,
    output,
    askPerson: ends === undefined ? undefined : askPerson,
    stop: () => (stops += 1),
    signal: new AbortController().signal,
  });
  const fields = {
    approvalId: id,
    toolCallId: "1",
    name: "shell",
    asker: { kind: "host", extension: "workspace-tools" },
    input,
    expiresAt: "2026-01-01T00:00:00.000Z",
  };
  const event = { type: "approval-request", seq: 1, turnId: id, at: "2026-01-01T00:00:00.000Z", ...fields };
  approvals.take(turnEventSchema.parse(event));
  while (decisions.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await approvals.close();
  return { decisions, questions, lastQuestion, screen, stops, stderr: stderr(), waited };
}

test("ApprovalQuestions continues after a question fails, and prints the reason", async () => {
  const answered: string[] = [];
  const client = createClient({
    url: "http://host.test",
    token: "token",
    async fetch(address, { body }) {
      answered.push(`${new URL(address).pathname.split("/").at(-1) ?? ""} ${await new Response(body).text()}`);
      return Response.json({ approvalId: id, decision: "allow" });
    },
  });
  const { output, stderr } = recordOutput();
  let count = 0;
  const askPerson: AskPerson = () => {
    count += 1;
    return count === 1 ? Promise.reject(new Error("EIO: read")) : Promise.resolve(word("y"));
  };
  const { signal } = new AbortController();
  const questions = new ApprovalQuestions({ client, conversationId: id, output, askPerson, stop() {}, signal });
  const common = {
    turnId: id,
    toolCallId: "1",
    asker: { kind: "host", extension: "workspace-tools" },
    at: "2026-01-01T00:00:00.000Z",
    expiresAt: "2026-01-01T00:00:00.000Z",
  };
  const question = {
    type: "question-request",
    seq: 1,
    questionId: id,
    from: "x",
    message: "?",
    fields: [],
    ...common,
  };
  const approval = {
    type: "approval-request",
    seq: 2,
    approvalId: id,
    name: "shell",
    input: "{}",
    ...common,
  };

  questions.take(turnEventSchema.parse(question));
  questions.take(turnEventSchema.parse(approval));
  while (answered.length === 0 && count < 3) await new Promise((resolve) => setImmediate(resolve));
  await questions.close();

  expect(answered).toEqual([`${id} {"decision":"allow"}`]);
  expect(stderr()).toContain("A question could not be asked (EIO: read)");
});

/** Output of a log or another tool during an open question. */
const meanwhile = `[list_folder] {}${" ".repeat(60)}The model calls "list_folder" with nothing`;

const word = (text: string): AnswerEnd => ({ kind: "answer", text });

const answers: readonly (readonly [
  ends: readonly AnswerEnd[],
  decision: string,
  questions: number,
  stops: number,
])[] = [
  [[word("y")], "allow", 1, 0],
  [[word(" YES ")], "allow", 1, 0],
  [[word("always")], "allow-always", 1, 0],
  [[word("")], "deny", 1, 0],
  [[word("n")], "deny", 1, 0],
  [[word("no")], "deny", 1, 0],
  [[word("yep"), word("alwaysn't"), word("ny"), word("y")], "allow", 4, 0],
  [[{ kind: "end" }], "deny", 1, 0],
  [[word("a"), { kind: "interrupt" }], "deny", 2, 1],
];
for (const [ends, decision, questions, stops] of answers)
  test(`ApprovalQuestions interprets ${JSON.stringify(ends)} as ${decision}`, async () => {
    expect(await ask("{}", ends)).toMatchObject({ decisions: [{ decision }], questions, stops });
  });

test("[attack:terminal-unknown-answer] ApprovalQuestions runs nothing for an invalid answer or end of input, and reports it", async () => {
  const { stderr, lastQuestion } = await ask("{}", [word("y y"), { kind: "end" }]);

  expect(lastQuestion).toBe('Please answer "y", "n" or "always". Allow it? [y/N/always] ');
  expect(stderr).toEndWith("\nDenied: the input has ended\n");
  expect((await ask("{}", [word("y")])).decisions).toEqual([{ decision: "allow" }]);
});

test("[attack:terminal-line-typed-into-question] ApprovalQuestions waits for a pause in typing before each question", async () => {
  const { waited } = await ask("{}", [word("fine, go on"), word("y")]);

  expect(waited).toEqual([true, true]);
});

test("[attack:terminal-printed-meanwhile] [trial:question-line] ApprovalQuestions holds back output until a question is answered", async () => {
  const { screen, stderr, decisions } = await ask("{}", [word("what?"), word("y")]);

  expect(decisions).toEqual([{ decision: "allow" }]);
  expect(screen).toStartWith('The model calls "shell" with nothing\n');
  expect(screen).not.toContain("list_folder");
  expect(stderr).toEndWith(`${meanwhile}\n`.repeat(2));
});

test("[attack:terminal-huge-call] ApprovalQuestions denies a call too long to review, with the reason", async () => {
  const input = (length: number): string => JSON.stringify({ a: "x".repeat(length - 8) });
  const { decisions, questions, stderr } = await ask(input(1_048_577), [word("y")]);

  expect({ decisions, questions }).toEqual({ decisions: [{ decision: "deny" }], questions: 0 });
  expect(stderr).toStartWith(
    'Denied "shell": its arguments have 1048577 characters, and nobody reads more than 1048576',
  );
  expect((await ask(input(1_048_576), [word("y")])).decisions).toEqual([{ decision: "allow" }]);
});

test("ApprovalQuestions denies without a user and explains how to allow the call", async () => {
  const { decisions, stderr } = await ask("{}", undefined);

  expect(decisions).toEqual([{ decision: "deny", unattended: true }]);
  expect(stderr).toContain(`there is no terminal to ask at. With incipit run`);
  expect(stderr).toContain("it would wait for your answer (incipit approve ID)\n");
});
