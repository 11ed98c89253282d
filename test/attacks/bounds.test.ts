import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { RawModelServer, type RawReply } from "../support/raw-model-server.ts";
import { attack } from "./attack.ts";

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

function nested(levels: number): string {
  return `{"path":${"[".repeat(levels)}${"]".repeat(levels)}}`;
}

function* anthropicReply(content: object, delta: object): RawReply {
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], usage };
  yield head;
  yield event("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } });
  yield event("content_block_start", { index: 0, content_block: content });
  yield event("content_block_delta", { index: 0, delta });
  yield event("content_block_stop", { index: 0 });
  const reason = "partial_json" in delta ? "tool_use" : "end_turn";
  yield event("message_delta", {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 1 },
  });
  yield event("message_stop", {});
}

attack("bounds-tool-arguments", {
  async attempt({ command, folder, isControl }) {
    const input = nested(isControl ? 100 : 60_000);
    const replies = [
      anthropicReply(
        { type: "tool_use", id: "toolu_1", name: "read_file", input: {} },
        { type: "input_json_delta", partial_json: input },
      ),
    ];
    await using model = await RawModelServer.start(
      () => replies.shift() ?? anthropicReply({ type: "text", text: "" }, { type: "text_delta", text: "I go on." }),
    );
    const config = join(folder, "config.toml");
    await Bun.write(
      config,
      `model = "claude/m"\n[providers.claude]\nkind = "anthropic"\nbase_url = "${model.url}"\napi_key_env = "KEY"\n`,
    );
    const cwd = join(folder, "work");
    await mkdir(cwd);
    const options = { data: join(folder, "data"), config, cwd, command, env: { KEY: "sk-ant-api03-of-a-test" } };
    const told: unknown[] = [];
    const say = async (host: HostProcess, id: string): Promise<void> => {
      for (const event of await host.turn(id, { input: "Go on" })) {
        if (event.type === "tool-call-end") told.push(event.error?.code);
        if (event.type === "turn-end") told.push(event.status);
      }
    };
    await using host = await HostProcess.start(options);
    await host.json("/extensions/workspace-tools/load", { method: "POST" });
    const { id } = await host.createConversation();
    await say(host, id);
    await say(host, id);
    await host.kill("SIGTERM");
    await using later = await HostProcess.start(options);
    await say(later, id);
    return told;
  },
  held: ["TOOL_INPUT_INVALID", "completed", "completed", "completed"],
  bites: ["TOOL_FAILED", "completed", "completed", "completed"],
});
