/**
 * `bun model-runtime.ts FOLDER`: prints a line of JSON with its `url` when ready; `GET /evaluations` returns the
 * number of prompt tokens evaluated per call.
 */
import { getLlama, LlamaGrammarEvaluationState, LlamaLogLevel, type Token } from "node-llama-cpp";
import { join } from "node:path";
import { randomModel } from "./random-model.ts";
import { asksForTool, renderRequest } from "./rendered-request.ts";

interface Evaluation {
  readonly prompt: string;
  readonly reply: string;
  readonly promptTokens: number;
  readonly evaluatedTokens: number;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new TypeError("Which folder may the model be written to?");
const modelPath = join(folder, "random.gguf");
await Bun.write(modelPath, randomModel(42));

const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: 32_768, threads: 1 });
const sequence = context.getSequence();
// Random weights produce arbitrary text; the grammars restrict it to usable replies.
const textGrammar = await llama.createGrammar({ grammar: 'root ::= [a-z]{8,12} "."' });
const callGrammar = await llama.createGrammar({ grammar: 'root ::= "read_file{\\"path\\":\\"" [a-c] ".txt\\"}"' });

const evaluations: Evaluation[] = [];

async function evaluate(body: string): Promise<Evaluation> {
  const prompt = renderRequest(body);
  const tokens = model.tokenize(prompt, false);
  const before = sequence.tokenMeter.getState();
  await sequence.adaptStateToTokens(tokens);
  const grammar = asksForTool(body) ? callGrammar : textGrammar;
  const reply: Token[] = [];
  const output = sequence.evaluate(tokens.slice(sequence.nextTokenIndex), {
    temperature: 0,
    yieldEogToken: true,
    grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }),
  });
  for await (const token of output) {
    if (model.isEogToken(token)) break;
    reply.push(token);
  }
  const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before);
  const evaluation = {
    prompt,
    reply: model.detokenize(reply),
    promptTokens: tokens.length,
    // The last prompt token produces the first reply token, and is counted with the reply.
    evaluatedTokens: usedInputTokens + usedOutputTokens - reply.length,
  };
  evaluations.push(evaluation);
  return evaluation;
}

function chunks({ reply, promptTokens, evaluatedTokens }: Evaluation): readonly object[] {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "random" };
  const choice = (delta: object, finish: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: reply.length,
    total_tokens: promptTokens + reply.length,
    prompt_tokens_details: { cached_tokens: promptTokens - evaluatedTokens },
  };
  const [, name, input] = /^(read_file)(.+)$/.exec(reply) ?? [];
  const said =
    name === undefined
      ? [choice({ role: "assistant", content: reply }, null), choice({}, "stop")]
      : [
          choice(
            {
              role: "assistant",
              tool_calls: [
                {
                  index: 0,
                  id: `call_${evaluations.length}`,
                  type: "function",
                  function: { name, arguments: input },
                },
              ],
            },
            null,
          ),
          choice({}, "tool_calls"),
        ];
  return [...said, { ...head, choices: [], usage }];
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/evaluations") return Response.json({ evaluations });
    if (pathname !== "/v1/chat/completions") return new Response(null, { status: 404 });
    const events = chunks(await evaluate(await request.text())).map(
      (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
    );
    return new Response(`${events.join("")}data: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
  },
});
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.port}` })}\n`);
