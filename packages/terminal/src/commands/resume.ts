import { clippedLine } from "@incipit/schema/text";
import type { Conversation } from "@incipit/schema";
import { pagesOf, routes, type Client } from "@incipit/transport-contract";
import { basename } from "node:path";
import { pastCost } from "../session/past-cost.ts";
import { spentText } from "../status/amounts.ts";
import type { Choice, TerminalCommand } from "./command.ts";
import { messageLine } from "./message-text.ts";
import { ago, minuteOf } from "./when.ts";

const maxListed = 10_000;
const pageSize = 1_000;
const shownMessages = 6;

export const resume: TerminalCommand = {
  name: "resume",
  summary: "opens another conversation",
  argument: "[ID or words]",
  async run({ session, choose, tell }, argument) {
    const { client, cwd, conversation } = session;
    const listed = await conversationsOf(client);
    const nowMs = Date.now();
    const choices = listed.map((one) => choiceOf(one, { cwd, nowMs }));
    const named = listed.filter(({ id }) => argument !== "" && id.startsWith(argument));
    const chosen =
      named.length === 1
        ? named[0]?.id
        : await choose("Which conversation?", choices, {
            query: argument,
            empty: "No conversations yet: the first message starts one",
            ...(conversation === undefined ? {} : { current: conversation.id }),
            preview: (id) =>
              previewOf(
                listed.find((one) => one.id === id),
                { client, cwd },
              ),
          });
    if (chosen === undefined || chosen === conversation?.id) return;
    await session.open(chosen);
    const { title = null } = session.conversation ?? {};
    tell(`Opened "${clippedLine(title ?? "-", { maxCharacters: 200 })}"`, "good");
  },
};

async function conversationsOf(client: Client): Promise<readonly Conversation[]> {
  const found: Conversation[] = [];
  const read = (cursor: string | undefined) =>
    client.call(routes.listConversations, { query: { limit: pageSize, cursor } });
  for await (const { conversations } of pagesOf(read)) {
    found.push(...conversations);
    if (found.length >= maxListed) break;
  }
  return found;
}

function choiceOf(
  { id, title, updatedAt, cwd: folder, status, approvals, forkedFrom }: Conversation,
  { cwd, nowMs }: { readonly cwd: string; readonly nowMs: number },
): Choice {
  const isHere = folder === cwd;
  const state = approvals.length > 0 ? ["asks"] : status === "idle" ? [] : [status];
  const copy = forkedFrom === null ? [] : ["a copy"];
  return {
    value: id,
    label: title ?? "(untitled)",
    description: [ago(updatedAt, nowMs), ...(isHere ? [] : [basename(folder)]), ...copy, ...state].join(" · "),
    rank: isHere ? 0 : 1,
  };
}

async function previewOf(
  conversation: Conversation | undefined,
  { client, cwd: here }: { readonly client: Client; readonly cwd: string },
): Promise<readonly string[]> {
  if (conversation === undefined) return [];
  const { id, model, profile, cwd, updatedAt } = conversation;
  const query = { limit: 30, order: "newest" } as const;
  const { messages } = await client.call(routes.listMessages, { params: { id }, query });
  const past = await pastCost(client, id);
  const facts = [
    minuteOf(updatedAt),
    spentText(past.spent),
    model,
    ...(profile === null ? [] : [profile]),
    ...(cwd === here ? [] : [cwd]),
  ];
  const lines = messages.flatMap((message) => messageLine(message) ?? []).slice(0, shownMessages);
  return [facts.map((fact) => clippedLine(fact, { maxCharacters: 100 })).join(" · "), ...lines.toReversed()];
}
