import type { NextAction } from "@incipit/schema";
import { ApiClientError, withoutRoute } from "@incipit/transport-contract";
import { modelAdvice } from "./model-advice.ts";

export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return hanging(String(error));
  if ("syscall" in error && error.syscall === "uv_cwd")
    return "This folder no longer exists, or may not be read; change to another one (cd), and begin again [CWD_GONE]";
  const code = "code" in error && typeof error.code === "string" ? ` [${error.code}]` : "";
  return hanging(`${messageOf(error)}${code}`);
}

function messageOf(error: Error): string {
  if (!(error instanceof ApiClientError)) return error.message;
  const advice = modelAdvice(error);
  if (error.next === undefined) return advice === undefined ? error.message : `${error.message}. ${advice}`;
  const command = commandOf(error.next);
  return [withoutRoute(error.message, error.next), ...(command === undefined ? [] : [command])].join("; ");
}

function commandOf(next: NextAction): string | undefined {
  switch (next.action) {
    case "list-conversations":
      return '"incipit conversations" lists them';
    case "list-extensions":
      return '"incipit extensions" lists them';
    case "list-template-versions":
      return '"incipit prompt versions" lists them';
    case "list-tokens":
      return '"incipit token list" lists them';
    case "list-schedules":
      return '"incipit schedules" lists them';
    case "list-channels":
      return '"incipit channels" lists them';
    case "list-steps":
      return next.conversationId === null
        ? 'write the ID of a conversation, which "incipit conversations" lists, for its last one'
        : `"incipit audit ${next.conversationId}" lists those of this conversation`;
    case "list-messages":
      return `"incipit conversations history ${next.conversationId ?? "ID"}" shows them`;
    case "list-calls":
    case "list-prompts":
    case "list-queue":
    case "show-conversation":
    case "stop":
      return undefined;
  }
}

/** Text of a provider or an extension must never look like a line of the command. */
export function hanging(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
