import type { NextAction } from "@incipit/schema";

/** Returns the route of a suggested action with its purpose, which ends an error message over HTTP. */
export function nextRoute(next: NextAction): string {
  const conversation = "conversationId" in next ? `/conversations/${next.conversationId ?? "ID"}` : "";
  switch (next.action) {
    case "list-conversations":
      return "GET /conversations lists them";
    case "list-calls":
      return "GET /calls lists the calls";
    case "list-extensions":
      return "GET /extensions lists them";
    case "list-template-versions":
      return "GET /system-prompt/versions lists them";
    case "list-tokens":
      return "GET /tokens lists them";
    case "list-schedules":
      return "GET /schedules lists them";
    case "list-channels":
      return "GET /channels lists them";
    case "show-conversation":
      return `GET ${conversation} lists the pending ones`;
    case "list-messages":
      return `GET ${conversation}/messages lists them`;
    case "list-steps":
      return `GET ${conversation}/steps lists the steps of ${next.conversationId === null ? "a" : "this"} conversation`;
    case "list-queue":
      return `GET ${conversation}/queue lists the queued ones`;
    case "list-prompts":
      return `GET ${conversation}/system-prompt/constructions lists its past prompts`;
    case "stop":
      return `POST ${conversation}/stop stops the running turn`;
  }
}

/** Removes the suffix of `nextRoute` from a message, for clients with their own wording. */
export function withoutRoute(message: string, next: NextAction): string {
  const end = `; ${nextRoute(next)}`;
  return message.endsWith(end) ? message.slice(0, -end.length) : message;
}
