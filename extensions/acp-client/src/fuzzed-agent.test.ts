import { modelProvidersPoint, type ModelEvent } from "@incipit/service-contract";
import { fuzzRuns, modelRequest, mutatedAgent, startExtension, userMessage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import acpAgents from "./index.ts";
import { ScriptedProgram } from "./testing/scripted-program.ts";

const request = modelRequest({ model: "default", messages: [userMessage("Read it")] });
const { firstSeed, count } = fuzzRuns(process.env, 200);

test("acp-client ends each prompt of a fuzzed agent once and keeps all intact text", async () => {
  const lost: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const loss = await lossOf(seed);
    if (loss !== undefined) lost.push(`seed ${seed}: ${loss}`);
  }

  expect(lost).toEqual([]);
}, 3_600_000);

async function lossOf(seed: number): Promise<string | undefined> {
  const { script, isSilent, texts } = mutatedAgent(seed);
  await using started = await startExtension(acpAgents, {
    config: { agents: { helper: { command: ["helper"], start_timeout_seconds: 5, silence_timeout_seconds: 10 } } },
    drivers: {
      spawn: () => ({
        run: () => Promise.reject(new Error("Nobody runs a program here")),
        start: async () => ({ kind: "started", program: new ScriptedProgram(script) }),
      }),
    },
  });
  const { clock } = started;
  const provider = started.contribution(modelProvidersPoint);
  const shown = JSON.stringify(script);
  const events: ModelEvent[] = [];
  const work = (async () => {
    for await (const event of provider.stream(request)) events.push(event);
  })().catch((error: unknown) => `it throws ${String(error)}: ${shown}`);
  // An answered agent needs no deadline, so the fake clock stays.
  const failure = await (isSilent ? clock.advanceUntil(work) : Promise.race([work, standstill()]));
  if (failure !== undefined) return typeof failure === "string" ? failure : `it hangs: ${shown}`;
  const ends = events.filter(({ type }) => type === "finish" || type === "failure");
  if (ends.length !== 1) return `it ends ${ends.length} times: ${shown}`;
  const said = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
  const missing = texts.filter((text) => !said.includes(text));
  return missing.length === 0
    ? undefined
    : `${JSON.stringify(missing)} is not in ${JSON.stringify(said)}: ${shown}`;
}

async function standstill(): Promise<object> {
  for (let turn = 0; turn < 5_000; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  return {};
}
