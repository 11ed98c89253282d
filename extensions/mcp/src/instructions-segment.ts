import type { Clock } from "@incipit/kernel";
import { isToolAllowed } from "@incipit/schema";
import { maxSegmentTimeoutMs, type PromptSegment, type PromptSegmentText } from "@incipit/service-contract";
import { instructionsText } from "./instructions-text.ts";
import type { McpServer } from "./mcp-server.ts";
import type { ConfiguredServer } from "./configured-server.ts";
import { folderOf, wantedServers } from "./tool-source.ts";

type SegmentContext = Parameters<PromptSegment["text"]>[0];

/** Share of the timeout for slow servers, so that the instructions of the others are not lost. */
const shareOfServers = 0.8;

type TellingServer = Pick<McpServer, "name" | "hasInstructions" | "instructions">;

export function instructionsSegment(
  servers: readonly ConfiguredServer[],
  clock: Clock,
  hostFolder: string,
): PromptSegment {
  return {
    id: "mcp",
    order: 110,
    timeoutMs: maxSegmentTimeoutMs,
    text: (context) => {
      const folder = folderOf(context, hostFolder);
      const asked = wantedServers(servers, context).map((server): TellingServer => ({
        name: server.name,
        hasInstructions: server.hasInstructions,
        instructions: (question) => server.instructions(folder, question),
      }));
      return instructionsOf(asked, clock, context);
    },
  };
}

/** By name. Servers that do not start in time are omitted, like their tools. Never rejects. */
export async function instructionsOf(
  servers: readonly TellingServer[],
  clock: Clock,
  {
    conversationId,
    hasTools,
    tools: { allowed, denied } = { allowed: null, denied: [] },
    timeoutMs,
    signal,
  }: SegmentContext,
): Promise<PromptSegmentText | null> {
  const asked = servers.filter(({ hasInstructions }) => hasInstructions);
  if (!hasTools || asked.length === 0) return null;
  const late = new AbortController();
  const cancel = clock.setTimer(() => late.abort(), timeoutMs * shareOfServers);
  const either = AbortSignal.any([signal, late.signal]);
  const mayStart = conversationId !== ""; // A preview starts nothing.
  const isUsable = (tool: string): boolean => isToolAllowed(allowed, tool) && !isToolAllowed(denied, tool);
  const answers = await Promise.all(
    asked
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (server) => ({
        name: server.name,
        answer: await server.instructions({ isUsable, mayStart, signal: either }),
      })),
  );
  cancel();
  const told = answers.flatMap(({ name, answer }) => (answer.kind === "text" ? [{ name, text: answer.text }] : []));
  const { text, leftOut } = instructionsText(told);
  const details = [
    ...leftOut.map((name) => `"${name}" has no room`),
    ...answers.flatMap(({ name, answer }) =>
      answer.kind === "nothing" && answer.problem !== undefined ? [`"${name}" ${answer.problem}`] : [],
    ),
  ];
  const shown = told.length === 0 ? "" : text; // Appends nothing then; the detail reports errors.
  return details.length === 0 ? shown : { text: shown, detail: details.join("; ") };
}
