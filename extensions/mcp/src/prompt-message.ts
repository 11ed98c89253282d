import type { OfferedMessage } from "@incipit/service-contract";
import type { GetPromptResult } from "@modelcontextprotocol/client";
import { resultAnswer } from "./result-answer.ts";

const speakers = { user: "User", assistant: "Assistant" } as const;

/** Types that vendors accept in a user message; other files are only named. */
const shownTypes = /^(?:image|audio)\/[a-z0-9.+-]+$/;

/** Includes roles unless all messages are the user's. */
export function promptMessage({ messages }: Pick<GetPromptResult, "messages">): OfferedMessage {
  const answers = messages.map(({ role, content }) => ({ role, ...resultAnswer({ content: [content] }) }));
  const isOnlyUser = messages.every(({ role }) => role === "user");
  const files = answers.flatMap((answer) => answer.files);
  const kept = files.filter(({ mediaType }) => shownTypes.test(mediaType));
  const left = files.length - kept.length;
  const parts = answers.map(({ role, text }) => (isOnlyUser ? text : `${speakers[role]}:\n${text}`));
  if (left > 0) parts.push(`[files that are neither pictures nor sound (${left}) are left out]`);
  return { text: parts.join("\n\n").toWellFormed().trim(), files: kept };
}
