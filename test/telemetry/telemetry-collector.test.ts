import { expect, test } from "bun:test";
import { hasRotel } from "../other-programs/other-programs.ts";
import { World } from "../support/world.ts";
import { RealCollector, type Decoded } from "./real-collector.ts";

interface Sent {
  readonly conversationId: string;
  readonly turnId: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

async function sendTo(collector: RealCollector): Promise<Sent> {
  await using world = await World.start({
    config: `system_prompt = "Be kind."
tools.workspace = true
telemetry = { otlp_url = "${collector.url}", content = true, service_name = "mine" }`,
  });
  const { model } = world;
  const startedAtMs = Date.now();
  const host = await world.host();
  const { id: conversationId } = await host.createConversation();
  model.enqueueCall("list_folder", { path: "." });
  model.enqueueText("Día 1, “été” 🌞");
  model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"no such thing"}}' });
  const events = await host.turn(conversationId, { input: "What is here?" });
  await host.turn(conversationId, { input: "And now?" });
  const embedding = { model: "local/nomic", input: ["tide", "ebb"], dimensions: 3, encoding_format: "float" };
  await host.fetch("/v1/embeddings", { body: embedding });
  await host.kill("SIGTERM"); // It flushes before it ends.
  return { conversationId, turnId: events[0]?.turnId ?? "", startedAtMs, endedAtMs: Date.now() };
}

function seen({ spans }: Decoded): readonly (readonly (string | undefined)[])[] {
  return spans.map(({ fields, attributes }) => [
    fields["Name"],
    fields["Kind"],
    fields["Status code"],
    attributes["error.type"],
  ]);
}

test.skipIf(!hasRotel)(
  "telemetry: a third-party collector decodes traces and metrics of turns and embeddings",
  async () => {
    await using collector = await RealCollector.start();

    const { conversationId, turnId, startedAtMs, endedAtMs } = await sendTo(collector);
    const received = await collector.end();

    const { resources, spans, metrics } = received;
    const resource = { "service.name": "Str(mine)", "service.version": expect.stringMatching(/^Str\(\d/) };
    expect(resources.length).toBeGreaterThanOrEqual(2);
    expect(resources).toEqual(resources.map(() => resource));

    const [client, internal] = ["SPAN_KIND_CLIENT", "SPAN_KIND_INTERNAL"];
    const [unset, failed] = ["STATUS_CODE_UNSET", "STATUS_CODE_ERROR"];
    expect(seen(received)).toEqual([
      ["chat test", client, unset, undefined],
      ["execute_tool list_folder", internal, unset, undefined],
      ["chat test", client, unset, undefined],
      ["invoke_agent default", internal, unset, undefined],
      ["chat test", client, failed, "Str(BAD_REQUEST)"],
      ["invoke_agent default", internal, failed, "Str(BAD_REQUEST)"],
      ["embeddings nomic", client, unset, undefined],
    ]);
    const [call, tool, answer, turn, , , embeddings] = spans;
    const traceId = turnId.replaceAll("-", "");
    expect(turn?.fields).toMatchObject({ "Trace ID": traceId, "Parent ID": "" });
    for (const span of [call, tool, answer])
      expect(span?.fields).toMatchObject({ "Trace ID": traceId, "Parent ID": turn?.fields["ID"] });
    expect(embeddings?.fields).toMatchObject({ "Trace ID": expect.not.stringContaining(traceId), "Parent ID": "" });
    for (const { fields } of spans) {
      const [start, end] = [fields["Start time"], fields["End time"]].map((nanos) => Number(nanos) / 1e6);
      expect(start).toBeWithin(startedAtMs, endedAtMs);
      expect(end).toBeWithin(start ?? 0, endedAtMs + 1);
    }

    expect(call?.attributes).toMatchObject({
      "gen_ai.operation.name": "Str(chat)",
      "gen_ai.provider.name": "Str(local)",
      "gen_ai.request.model": "Str(test)",
      "gen_ai.request.stream": "Bool(true)",
      "gen_ai.response.finish_reasons": "Slice(Str(tool_call))",
      "gen_ai.response.time_to_first_chunk": expect.stringMatching(/^Double\(/),
      "gen_ai.usage.input_tokens": "Int(20)",
      "gen_ai.conversation.id": `Str(${conversationId})`,
      "gen_ai.input.messages": 'Str([{"role":"user","parts":[{"type":"text","content":"What is here?"}]}])',
    });
    expect(answer?.attributes["gen_ai.output.messages"]).toContain("Día 1, “été” 🌞");
    expect(tool?.attributes).toMatchObject({ "gen_ai.tool.call.arguments": 'Str({"path":"."})' });
    expect(embeddings?.attributes).toMatchObject({
      "gen_ai.operation.name": "Str(embeddings)",
      "gen_ai.request.model": "Str(nomic)",
      "gen_ai.response.model": "Str(nomic-2026)",
      "gen_ai.embeddings.dimension.count": "Int(3)",
      "gen_ai.request.encoding_formats": "Slice(Str(float))",
      "gen_ai.usage.input_tokens": "Int(2)",
      "server.address": "Str(127.0.0.1)",
    });

    expect(
      metrics.map(({ descriptor }) => [descriptor["Name"], descriptor["Unit"], descriptor["DataType"]]),
    ).toEqual([
      ["gen_ai.client.operation.duration", "s", "Histogram"],
      ["gen_ai.client.operation.time_to_first_chunk", "s", "Histogram"],
      ["gen_ai.client.token.usage", "{token}", "Histogram"],
    ]);
    const tokens = metrics[2]?.points.map(({ fields, attributes }) => [
      attributes["gen_ai.operation.name"],
      attributes["gen_ai.token.type"],
      fields["Count"],
      fields["Sum"],
      fields["ExplicitBounds #1"],
    ]);
    expect(tokens).toEqual([
      ["Str(chat)", "Str(input)", "2", "40", "4"],
      ["Str(chat)", "Str(output)", "2", "10", "4"],
      ["Str(embeddings)", "Str(input)", "1", "2", "4"],
    ]);
  },
);
