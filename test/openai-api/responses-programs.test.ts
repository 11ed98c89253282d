import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, tool, type ModelMessage } from "ai";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { createChatWorld } from "./chat-world.ts";
import { frontendTools, runTool } from "../frontend-tools/frontend-tools.ts";
import { prefixOf } from "../support/request-body.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());

const call = { id: "c1", name: "weather", arguments: '{"city":"Porto"}' };
const messagesSchema = z.object({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });

function expectOneConversation(): void {
  const bodies = world.model.requests.map(({ body }) => body);
  const [first = "", second = "", third = ""] = bodies;
  expect(bodies).toHaveLength(3);
  expect(second).toStartWith(prefixOf(first));
  expect(third).toStartWith(prefixOf(second));
  expect(messagesSchema.parse(JSON.parse(third)).messages).toMatchObject([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather?" },
    { role: "assistant", tool_calls: [{ function: { name: "weather", arguments: '{"city":"Porto"}' } }] },
    { role: "tool", content: expect.stringContaining("Rain") },
    { role: "assistant", content: "It rains." },
    { role: "user", content: "And tomorrow?" },
  ]);
}

function enqueueConversation(): void {
  world.model.enqueue(
    { kind: "tool-calls", calls: [call] },
    { kind: "text", chunks: ["It ", "rains."] },
    { kind: "text", chunks: ["Sun."] },
  );
}

function run(script: string): Promise<string> {
  const cwd = join(frontendTools(), "..");
  const env = {
    OPENAI_BASE_URL: world.baseURL,
    OPENAI_API_KEY: world.host.token,
    OPENAI_AGENTS_DISABLE_TRACING: "1",
  };
  return runTool([process.execPath, "-e", script], { cwd, env });
}

test("[byte-prefix] the AI SDK's openai(model) runs a tool, then asks a second question", async () => {
  const openai = createOpenAI({ baseURL: world.baseURL, apiKey: world.host.token });
  const weather = tool({
    description: "Tells the weather",
    inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
    execute: ({ city }) => `Rain in ${city}`,
  });
  const messages: ModelMessage[] = [{ role: "user", content: "Weather?" }];
  const ask = async (): Promise<{ readonly text: string; readonly said: readonly ModelMessage[] }> => {
    const model = openai("local/test-model");
    const tools = { weather };
    const stopWhen = stepCountIs(3);
    const result = await generateText({ model, instructions: "Be brief.", messages, tools, stopWhen });
    return { text: result.text, said: result.responseMessages };
  };
  enqueueConversation();

  const first = await ask();
  messages.push(...first.said, { role: "user", content: "And tomorrow?" });
  const second = await ask();

  expect([first.text, second.text]).toEqual(["It rains.", "Sun."]);
  expectOneConversation();
});

test("[byte-prefix] an @openai/agents agent runs a tool, then asks a second question", async () => {
  enqueueConversation();

  const printed = await run(`
    import { Agent, run, tool } from "@openai/agents";
    import { z } from "zod";
    const weather = tool({
      name: "weather",
      description: "Tells the weather",
      parameters: z.object({ city: z.string() }),
      execute: ({ city }) => "Rain in " + city,
    });
    const agent = new Agent({ name: "Ada", instructions: "Be brief.", model: "local/test-model", tools: [weather] });
    const first = await run(agent, "Weather?");
    const second = await run(agent, [...first.history, { role: "user", content: "And tomorrow?" }], { stream: true });
    await second.completed;
    console.log(JSON.stringify([first.finalOutput, second.finalOutput]));
  `);

  expect(JSON.parse(printed)).toEqual(["It rains.", "Sun."]);
  expectOneConversation();
}, 60_000);

test("[byte-prefix] @langchain/openai with useResponsesApi runs a tool, then asks a second question", async () => {
  enqueueConversation();

  const printed = await run(`
    import { ChatOpenAI } from "@langchain/openai";
    import { tool } from "@langchain/core/tools";
    import { HumanMessage, SystemMessage } from "@langchain/core/messages";
    import { z } from "zod";
    const weather = tool(({ city }) => "Rain in " + city, {
      name: "weather",
      description: "Tells the weather",
      schema: z.object({ city: z.string() }),
    });
    const model = new ChatOpenAI({ model: "local/test-model", useResponsesApi: true }).bindTools([weather]);
    const messages = [new SystemMessage("Be brief."), new HumanMessage("Weather?")];
    const called = await model.invoke(messages);
    messages.push(called, await weather.invoke(called.tool_calls[0]));
    const first = await model.invoke(messages);
    messages.push(first, new HumanMessage("And tomorrow?"));
    let second;
    for await (const chunk of await model.stream(messages)) second = second === undefined ? chunk : second.concat(chunk);
    console.log(JSON.stringify([first.text, second.text]));
  `);

  expect(JSON.parse(printed)).toEqual(["It rains.", "Sun."]);
  expectOneConversation();
}, 60_000);
