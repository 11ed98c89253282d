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
      return `GET ${conversation} shows those that wait`;
    case "list-messages":
      return `GET ${conversation}/messages lists them`;
    case "list-steps":
      return `GET ${conversation}/steps lists those of ${next.conversationId === null ? "a" : "this"} conversation`;
    case "list-queue":
      return `GET ${conversation}/queue lists those that wait`;
    case "list-prompts":
      return `GET ${conversation}/system-prompt/constructions lists those that it had`;
    case "stop":
      return `POST ${conversation}/stop ends what runs`;
  }
}

/** Removes the suffix of `nextRoute` from a message, for clients with their own wording. */
export function withoutRoute(message: string, next: NextAction): string {
  const end = `; ${nextRoute(next)}`;
  return message.endsWith(end) ? message.slice(0, -end.length) : message;
}
