import { createTempFolder } from "@incipit/testkit";
import { stepsResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess } from "../support/host-process.ts";

const runtimeFolder = join(import.meta.dir, "../real-model");
const readySchema = z.object({ url: z.url() });
const evaluationSchema = z.object({
  prompt: z.string(),
  reply: z.string(),
  promptTokens: z.int(),
  evaluatedTokens: z.int(),
});
const evaluationsSchema = z.object({ evaluations: z.array(evaluationSchema) });

class ModelRuntime implements AsyncDisposable {
  readonly url: string;
  readonly #child: Bun.Subprocess<"ignore", "pipe", "inherit">;

  private constructor(child: Bun.Subprocess<"ignore", "pipe", "inherit">, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(folder: string): Promise<ModelRuntime> {
    if (!existsSync(join(runtimeFolder, "node_modules")))
      throw new Error('The model runtime is not installed; "bun run check" does it, or "bun run real-model"');
    const child = Bun.spawn([process.execPath, join(runtimeFolder, "model-runtime.ts"), folder], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const decoder = new TextDecoder();
    let line = "";
    for await (const chunk of child.stdout) {
      line += decoder.decode(chunk, { stream: true });
      if (line.includes("\n")) break;
    }
    return new ModelRuntime(child, readySchema.parse(JSON.parse(line)).url);
  }

  async evaluations(): Promise<z.infer<typeof evaluationsSchema>["evaluations"]> {
    return evaluationsSchema.parse(await (await fetch(`${this.url}/evaluations`)).json()).evaluations;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

/** Half of ten turns have a tool loop; the host is killed after the fifth. */
async function converse(settings: string): Promise<{
  readonly evaluations: Awaited<ReturnType<ModelRuntime["evaluations"]>>;
  readonly cacheReadTokens: readonly unknown[];
}> {
  await using folder = await createTempFolder();
  await using runtime = await ModelRuntime.start(folder.path);
  for (const name of ["a", "b", "c"])
    await Bun.write(join(folder.path, `${name}.txt`), `What ${name} says. é 漢 🎉`);
  const config = join(folder.path, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/random"\ntools.workspace = true\n${settings}
[providers.local]\nkind = "openai-compatible"\nbase_url = "${runtime.url}/v1"\n`,
  );
  const options = { data: join(folder.path, "data"), config, cwd: folder.path };
  let host = await HostProcess.start(options);
  try {
    const { id } = await host.createConversation();
    for (let turn = 1; turn <= 10; turn += 1) {
      const input = turn % 2 === 0 ? `Look at what there is (${turn})` : `Say something (${turn})`;
      const events = await host.turn(id, { input });
      expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
      if (turn !== 5) continue;
      await host.kill("SIGKILL");
      host = await HostProcess.start(options);
    }
    const { steps } = stepsResponseSchema.parse(await host.json(`/conversations/${id}/steps?limit=1000`));
    const cacheReadTokens = steps.map(({ usage }) => usage?.cacheReadTokens);
    return { evaluations: await runtime.evaluations(), cacheReadTokens };
  } finally {
    await host[Symbol.asyncDispose]();
  }
}

test("[byte-prefix] a real runtime evaluates only new tokens across turns, tools and a restart", async () => {
  const { evaluations, cacheReadTokens } = await converse('system_prompt = "It is [system:time]. [file:a.txt]"');

  expect(evaluations).toHaveLength(15);
  const before = ["", ...evaluations.map(({ prompt, reply }) => prompt + reply)];
  for (const [index, { prompt, promptTokens, evaluatedTokens }] of evaluations.entries()) {
    const known = before[index] ?? "";
    expect(prompt).toStartWith(known);
    // The vocabulary has one token per byte.
    expect(promptTokens).toBe(Buffer.byteLength(prompt));
    expect(evaluatedTokens).toBe(Buffer.byteLength(prompt.slice(known.length)));
  }
  const read = evaluations.map(({ promptTokens, evaluatedTokens }) => promptTokens - evaluatedTokens);
  expect(cacheReadTokens).toEqual(read);
});

test("[byte-prefix] a real runtime re-evaluates the whole history when each turn changes the prompt", async () => {
  const { evaluations } = await converse(
    'prompt_refresh = "turn"\nsystem_prompt = "It is [system:time]. [file:a.txt]"',
  );

  const firstOfTurns = evaluations.filter(({ prompt }) => /<user>[^\n]*\n<assistant>$/.test(prompt));
  expect(firstOfTurns).toHaveLength(10);
  for (const { prompt, evaluatedTokens } of firstOfTurns) {
    const behindTheClock = prompt.slice(prompt.indexOf(". What a says"));
    expect(evaluatedTokens).toBeGreaterThanOrEqual(Buffer.byteLength(behindTheClock));
  }
});
