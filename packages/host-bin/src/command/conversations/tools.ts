import { brokenExtensions, deferReasons, missingToolsLines } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import { leftOutToolText, type ConversationTools } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";
import { filled } from "../output/fitted.ts";

export async function tools(call: ConversationCall): Promise<void> {
  const {
    client,
    id,
    args: { isJson },
    output,
  } = await calledConversation(call);
  const answer = await client.call(routes.getConversationTools, { params: { id } });
  if (isJson) {
    output.outLine(JSON.stringify(answer));
    return;
  }
  for (const line of linesOf(answer)) output.outRow(line);
  const { extensions } = await client.call(routes.listExtensions);
  for (const line of missingToolsLines(brokenExtensions(extensions))) output.outRow(line);
}

function linesOf({ tools: named, leftOut, deferred, next }: ConversationTools): readonly string[] {
  const missing = (isAvailable: boolean): string => (isAvailable ? "" : " (not there at this moment)");
  const lookedUp = deferred.flatMap(({ server, reason, tools: ofServer }) => [
    "",
    `Looked up when needed: ${ofServer.length} of ${server}, as ${deferReasons[reason]}`,
    ...ofServer.map(({ name, isAvailable }) => `  ${name}${missing(isAvailable)}`),
  ]);
  return [
    `Named in each request: ${named.length}`,
    ...named.map(({ name, description, isAvailable }) => {
      const words = clippedLine(description, { maxCharacters: 60 });
      return `  ${filled(name, 30)} ${words}${missing(isAvailable)}`;
    }),
    ...leftOut.map((tool) => clippedLine(leftOutToolText(tool), { maxCharacters: 300 })),
    ...lookedUp,
    ...next.problems.flatMap((problem, index) => (index === 0 ? ["", problem] : [problem])),
  ];
}
