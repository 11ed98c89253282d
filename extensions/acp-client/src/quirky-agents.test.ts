import { modelProvidersPoint, type ModelEvent, type ModelRequest } from "@incipit/service-contract";
import {
  acpAgentQuirks,
  modelRequest,
  startExtension,
  userMessage,
  validAcpScript,
  type AcpAgentQuirk,
} from "@incipit/testkit";
import { expect, test } from "bun:test";
import acpAgents from "./index.ts";
import { ScriptedProgram } from "./testing/scripted-program.ts";

type Messages = ModelRequest["messages"];

for (const quirk of acpAgentQuirks)
  test(`acp-client, quirk ${quirk.id}: ${quirk.does}`, async () => {
    const { sees } = quirk;
    const { events, questions, program } = await prompted(quirk);

    const last = events.at(-1);
    const texts = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
    const { outcome } = program.sent.find(({ result }) => result?.outcome !== undefined)?.result ?? {};
    const methods = program.sent.flatMap(({ id, method }) =>
      id === undefined || method === undefined ? [] : [method],
    );
    expect({ texts: texts.join("").trim(), last }).toMatchObject({
      texts: sees.text,
      last:
        sees.failure === undefined
          ? { type: "finish", finishReason: sees.finishReason ?? "stop" }
          : {
              type: "failure",
              error: { code: sees.failure.code, message: expect.stringContaining(sees.failure.says) },
            },
    });
    expect(events.filter(({ type }) => type === "tool-run")).toMatchObject([...(sees.runs ?? questionRuns(sees))]);
    if (sees.question !== undefined) expect(questions).toMatchObject([sees.question]);
    if (sees.outcome !== undefined) expect(outcome).toMatchObject(sees.outcome);
    if (sees.methods !== undefined) expect(methods).toEqual([...sees.methods]);
    expect(JSON.stringify(program.sent.findLast(({ method }) => method === "session/prompt"))).toContain(
      sees.prompt ?? "",
    );
  });

function questionRuns({ outcome }: AcpAgentQuirk["sees"]): readonly object[] {
  return outcome === undefined ? [] : [{ toolCallId: "1" }];
}

interface Prompted {
  readonly events: readonly ModelEvent[];
  readonly questions: readonly object[];
  readonly program: ScriptedProgram;
}

async function prompted({ script, again, model = "default", sees }: AcpAgentQuirk): Promise<Prompted> {
  const programs: ScriptedProgram[] = [];
  const start = (): ScriptedProgram => {
    const program = new ScriptedProgram({ ...validAcpScript, ...(programs.length > 0 ? again : script) });
    programs.push(program);
    return program;
  };
  await using started = await startExtension(acpAgents, {
    config: { agents: { helper: { command: ["helper"], silence_timeout_seconds: 10, idle_seconds: 5 } } },
    drivers: {
      spawn: () => ({
        run: () => Promise.reject(new Error("No program is run here")),
        start: async () => ({ kind: "started", program: start() }),
      }),
    },
  });
  const provider = started.contribution(modelProvidersPoint);
  const questions: object[] = [];
  const askPermission: ModelRequest["askPermission"] = async (question) => {
    questions.push(question);
    return { decision: "allow", reason: "answered" };
  };
  const ask = async (messages: Messages): Promise<readonly ModelEvent[]> => {
    const events: ModelEvent[] = [];
    const work = (async () => {
      for await (const event of provider.stream(modelRequest({ messages, model, askPermission })))
        events.push(event);
    })();
    // Only a silent agent needs the clock.
    await (sees.failure?.code === "TIMEOUT" ? started.clock.advanceUntil(work) : work);
    return events;
  };
  const answer = { ...userMessage("done"), role: "assistant" } as const;
  const first: Messages = [userMessage("Read it")];
  let events = await ask(first);
  if (again !== undefined) {
    await started.clock.advance(5_000);
    events = await ask([...first, answer, userMessage("Go on")]);
  }
  const program = programs.at(-1);
  if (program === undefined) throw new Error("No agent was started");
  return { events, questions, program };
}
