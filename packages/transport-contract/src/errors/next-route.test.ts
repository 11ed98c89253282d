import type { NextAction } from "@incipit/schema";
import { expect, test } from "bun:test";
import { routes } from "../routes.ts";
import { nextRoute, withoutRoute } from "./next-route.ts";

const conversationId = "01a1fcd7-5c9a-7556-afda-76769002c75c";
const all: readonly NextAction[] = [
  { action: "list-conversations" },
  { action: "list-calls" },
  { action: "list-extensions" },
  { action: "list-template-versions" },
  { action: "list-tokens" },
  { action: "list-schedules" },
  { action: "show-conversation", conversationId },
  { action: "list-messages", conversationId },
  { action: "list-steps", conversationId },
  { action: "list-queue", conversationId },
  { action: "list-prompts", conversationId },
  { action: "stop", conversationId },
];

test("nextRoute returns existing routes, and withoutRoute removes them from a message", () => {
  const known = Object.values(routes).map(({ method, path }) => `${method} ${path.replace(":id", conversationId)}`);
  for (const next of all) {
    const [method, path] = nextRoute(next).split(" ");
    expect(known).toContain(`${method} ${path}`);
    expect(withoutRoute(`There is none; ${nextRoute(next)}`, next)).toBe("There is none");
  }
});
