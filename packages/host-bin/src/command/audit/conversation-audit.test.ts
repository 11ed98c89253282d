import { emptyAuditSummary } from "@incipit/schema";
import { expect, test } from "bun:test";
import { answeringHost } from "../testing/answering-host.ts";
import { bareConversation } from "../testing/bare-conversation.ts";
import { bareRecord } from "../testing/bare-record.ts";
import { runCommand } from "../testing/run-command.ts";

const { id } = bareConversation;

interface Run {
  readonly stdout: readonly string[];
  readonly stderr: string;
  readonly routes: readonly string[];
}

async function run(words: readonly string[], ...pages: readonly (readonly unknown[])[]): Promise<Run> {
  const answers = pages.map((steps, index) => ({
    steps,
    summary: { ...emptyAuditSummary, steps: 3 },
    ...(index === pages.length - 1 ? {} : { nextCursor: "more" }),
  }));
  const { client, requests } = answeringHost({ conversation: { ...bareConversation, title: "Title" } }, ...answers);
  const { stdout, stderr } = await runCommand(["audit", id, ...words], { client });
  return { stdout: stdout.split("\n"), stderr, routes: requests.map(({ route }) => route) };
}

test("audit ID numbers the steps over all pages, explains each cause once, and prints totals", async () => {
  const warning = { message: "The tools are others", hint: "leave them" };
  const first = { ...bareRecord.audit, verdict: "first" };
  const broken = { ...bareRecord.audit, verdict: "broken", reason: "tools-changed", warning };

  const { stdout, stderr, routes } = await run([], [first, broken], [broken]);

  expect(stdout.slice(0, 2)).toEqual([`Title  (${id})`, ""]);
  expect(stdout.slice(2).map((line) => line.replace(/ {2,}\d.*/, ""))).toEqual([
    "",
    "         model local/test",
    "         the first request: nothing was sent before it",
    "!",
    "         other tools (tools-changed)",
    "         The tools are others.",
    "         -> leave them",
    "!",
    "         other tools (tools-changed)",
    "",
    "█ read from the vendor's cache  ▒ unchanged since last call  ░ new or changed",
    "3 model calls: 0 with an intact prefix",
    "The vendor reported no tokens",
    "",
  ]);
  expect(stderr).toBe("");
  expect(routes.slice(1)).toEqual([`GET /conversations/${id}/audit`, `GET /conversations/${id}/audit?cursor=more`]);
  const json = await run(["--json"], [first, broken], [broken]);
  expect(json.stdout.map((line) => line && Object.keys(JSON.parse(line))[0])).toEqual([
    "id",
    "id",
    "id",
    "summary",
    "",
  ]);
});

test("audit ID reports a conversation without model calls", async () => {
  expect(await run([], [])).toMatchObject({
    stdout: [`Title  (${id})`, "", ""],
    stderr: "No model was called in it yet\n",
  });
});
