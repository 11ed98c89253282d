import { routes } from "@incipit/transport-contract";
import { interruptible } from "../terminal/interruption.ts";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";

/** Compacts a conversation. Ctrl-C cancels that and leaves everything unchanged. */
export async function compact(call: ConversationCall<[instructions?: string]>): Promise<number> {
  const { client, id, args, output } = await calledConversation(call);
  const [, instructions] = call.words;
  return interruptible(async (signal) => {
    try {
      const { conversation, summary } = await client.call(routes.compactConversation, {
        params: { id },
        body: { instructions },
        signal,
      });
      if (args.isJson) {
        output.outLine(JSON.stringify({ conversation, summary }));
        return 0;
      }
      for (const part of summary.parts) if (part.type === "text") output.out(`${part.text}\n`);
      output.errLine(
        `Compacted: later requests contain this summary instead of the earlier messages (epoch ${conversation.epoch})`,
      );
      return 0;
    } catch (error) {
      if (!signal.aborted) throw error;
      output.errLine("Stopped: an unfinished summary changes nothing");
      return 130;
    }
  });
}
