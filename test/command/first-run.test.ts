import { startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { World } from "../support/world.ts";

/** As long as an Anthropic key, so that redaction applies. */
const key = "sk-planted-0123456789abcdef0123456789";

function addressesOf(model: RecordingModelServer): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: model.urlOf("anthropic").replace(/\/v1$/, ""),
    OPENAI_BASE_URL: model.url,
    GOOGLE_GEMINI_BASE_URL: model.urlOf("gemini"),
    OLLAMA_HOST: new URL(model.url).host,
  };
}

test("a model with a key in the environment needs no configuration and receives only that key", async () => {
  await using world = await World.start({ config: null });
  const env = addressesOf(world.model);
  const cases = [
    ["anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY", "x-api-key", key],
    ["openai/gpt-5.2", "OPENAI_API_KEY", "authorization", `Bearer ${key}`],
    ["google/gemini-2.5-flash", "GOOGLE_GENERATIVE_AI_API_KEY", "x-goog-api-key", key],
    ["google/gemini-2.5-flash", "GEMINI_API_KEY", "x-goog-api-key", key],
  ] as const;

  for (const [model, variable, header, sent] of cases) {
    const asked = await world.run(["-m", model, "Hi"], {
      env: { ...env, [variable]: key, GROQ_API_KEY: "another" },
    });
    const request = world.model.requests.at(-1);

    expect(asked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Reply ") });
    expect(request?.headers[header]).toBe(sent);
    expect(JSON.stringify(request)).not.toContain("another");
    expect(asked.stdout + asked.stderr).not.toContain(key);
  }
  expect(await readdir(join(world.home, ".config")).catch(() => [])).toEqual([]);
}, 120_000);

test("the key of an unconfigured provider is redacted like that of a configured one", async () => {
  await using world = await World.start({ config: null });
  const shapeless = "Zk3vB8qLm2Xw9RtYp5NsHd7c";
  const env = { ...addressesOf(world.model), OPENAI_API_KEY: shapeless };

  const asked = await world.run(["-m", "openai/gpt-5.2", `Is ${shapeless} a key?`], { env });
  const id = /incipit -s (\S+)/.exec(asked.stderr)?.[1] ?? "";
  const shown = await world.run(["record", "show", id], { env });

  expect(world.model.requests[0]?.body).toContain(shapeless);
  expect(shown.stdout).toContain("Is ");
  expect(shown.stdout + shown.stderr).not.toContain(shapeless);
}, 60_000);

test("a provider without an address variable is contacted only at its documented address", async () => {
  await using world = await World.start({ config: null });
  const asked: string[] = [];
  using proxy = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, bytes) {
        asked.push(bytes.toString().split("\r\n")[0] ?? "");
        socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
      },
    },
  });
  const vendors = ["deepseek", "openrouter", "groq", "mistral", "xai", "together", "fireworks"] as const;

  // Each retries for some seconds, so all run in parallel with separate data folders.
  await Promise.all(
    vendors.map((name) =>
      world.run(["--data", join(world.home, name), "-m", `${name}/some-model`, "Hi"], {
        env: { [`${name.toUpperCase()}_API_KEY`]: key, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` },
      }),
    ),
  );

  expect([...new Set(asked)].toSorted()).toEqual([
    "CONNECT api.deepseek.com:443 HTTP/1.1",
    "CONNECT api.fireworks.ai:443 HTTP/1.1",
    "CONNECT api.groq.com:443 HTTP/1.1",
    "CONNECT api.mistral.ai:443 HTTP/1.1",
    "CONNECT api.together.ai:443 HTTP/1.1",
    "CONNECT api.x.ai:443 HTTP/1.1",
    "CONNECT openrouter.ai:443 HTTP/1.1",
  ]);
}, 120_000);

test("local servers are probed only when named explicitly, and the continuation line repeats the name", async () => {
  await using world = await World.start({ config: null });
  const env = addressesOf(world.model);

  const echo = await world.run(["Hi"], { env });
  const listed = await world.run(["models"], { env });
  const before = world.model.requests.length;
  const asked = await world.run(["-m", "ollama/llama3.2", "Hi"], { env });
  const id = /incipit (-m ollama\/llama3\.2 -s (\S+))/.exec(asked.stderr)?.[2] ?? "";
  const unnamed = await world.run(["-s", id, "And now?"], { env });
  const again = await world.run(["-m", "ollama/llama3.2", "-s", id, "And now?"], { env });
  const closed = await world.run(["-m", "ollama/llama3.2", "Hi"], { env: { OLLAMA_HOST: "127.0.0.1:1" } });

  expect([echo.exitCode, listed.exitCode, before]).toEqual([0, 0, 0]);
  expect(asked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Reply 1") });
  expect(world.model.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
  expect(world.model.requests[0]?.headers["authorization"]).toBeUndefined();
  expect(unnamed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("name a model of it with -m") });
  expect(again.exitCode).toBe(0);
  expect(closed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("This starts it: ollama serve") });
}, 120_000);

test("a configured table overrides a known provider, and disables the offers of others", async () => {
  await using world = await World.start({ config: null });
  await using other = await startRecordingModelServer();
  const table = `kind = "openai-compatible"\nbase_url = "${other.url}"\napi_key_env = "OUR_KEY"`;
  await world.configure(() => `[providers.openai]\n${table}\n`);
  const env = {
    ...addressesOf(world.model),
    OPENAI_API_KEY: key,
    ANTHROPIC_API_KEY: key,
    OUR_KEY: "our-own-key-01",
  };

  const asked = await world.run(["-m", "openai/gpt-5.2", "Hi"], { env });
  const listed = await world.run(["models"], { env });
  const named = await world.run(["-m", "anthropic/claude-sonnet-4-5", "Hi"], { env });

  expect(asked.exitCode).toBe(0);
  expect(other.requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer our-own-key-01"]);
  expect(listed.stdout).not.toContain("anthropic/");
  expect(named.exitCode).toBe(0);
  expect(world.model.requests).toHaveLength(1);
}, 120_000);

test("[attack:folder-names-vendor] a provider named only by a folder's file is not enabled", async () => {
  await using world = await World.start({ config: null });
  const env = { ...addressesOf(world.model), OPENAI_API_KEY: key };

  for (const text of ['model = "openai/gpt-5.2"\n', 'model = "ollama/llama3.2"\n']) {
    await world.write("incipit.toml", text);
    const [, sha256 = ""] = /--sha256 ([0-9a-f]{64})/.exec((await world.run(["trust"])).stdout) ?? [];

    const untrusted = await world.run(["Hi"], { env });
    const trust = await world.run(["trust", "add", "--sha256", sha256], { env });
    const trusted = await world.run(["Hi"], { env });

    expect(untrusted).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("left out model") });
    expect(trust.exitCode).toBe(0);
    expect(trusted).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("there is no [providers.") });
  }
  expect(world.model.requests).toEqual([]);
  const control = await world.run(["-m", "openai/gpt-5.2", "Hi"], { env }).then(() => world.model.requests.length);
  expect(control).toBe(0); // The folder's file is still rejected despite the operator's flag.
  await world.write("incipit.toml", "");
  await world.run(["-m", "openai/gpt-5.2", "Hi"], { env });
  expect(world.model.requests).toHaveLength(1);
}, 120_000);

test("a missing key is reported with its source and a fix", async () => {
  await using world = await World.start({ config: null });

  const anthropic = await world.run(["-m", "anthropic/claude-sonnet-4-5", "Hi"]);
  const groq = await world.run(["-m", "groq/some-model", "Hi"], { env: { GROQ_API_KEY: " " } });

  expect(anthropic.exitCode).toBe(1);
  expect(anthropic.stderr).toContain("ANTHROPIC_API_KEY");
  expect(anthropic.stderr).toContain("https://platform.claude.com/settings/keys, then: export ANTHROPIC_API_KEY=…");
  expect(groq.stderr).toContain("https://console.groq.com/keys, then: export GROQ_API_KEY=…");
}, 60_000);

test("without a configured model offline/echo answers, never a paid one, with a hint", async () => {
  await using world = await World.start({ config: null });
  const env = { ...addressesOf(world.model), ANTHROPIC_API_KEY: key };

  const none = await world.run(["Hi"]);
  const one = await world.run(["Hi"], { env });
  const several = await world.run(["Hi"], { env: { ...env, OPENAI_API_KEY: key } });
  const quiet = await world.run(["-q", "Hi"], { env });
  const noAddress = await world.run(["Hi"], { env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: "localhost" } });
  const named = await world.run(["-m", "openai/gpt-5.2", "Hi"], {
    env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: "localhost" },
  });
  const listed = await world.run(["models", "claude-sonnet-5"], { env });

  expect(none.stderr).toContain('"incipit setup" chooses a real model');
  expect(one.stderr).toContain('ANTHROPIC_API_KEY is set: incipit -m anthropic/claude-sonnet-5 "…" asks Anthropic');
  expect(several.stderr).toContain("Keys are set for anthropic, openai: name a model");
  expect(noAddress.exitCode).toBe(0);
  expect(named.stderr).toContain('OPENAI_BASE_URL: key "providers.openai.base_url" must be');
  expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
  expect(listed.stdout).toContain("anthropic/claude-sonnet-5");
  expect(world.model.requests).toEqual([]);
}, 60_000);

test("models lists providers with a key and no catalogue", async () => {
  await using world = await World.start({ config: null });

  const listed = await world.run(["models"], { env: { GROQ_API_KEY: key } });

  expect(listed.stderr).toContain("- groq: GROQ_API_KEY is set: name any model of Groq's, as groq/MODEL");
  expect(listed.stdout + listed.stderr).not.toContain(key);
}, 60_000);

test("a host offers providers with keys at its start, and explains others", async () => {
  await using world = await World.start({ config: null });
  await world.host({ env: { ...addressesOf(world.model), OPENAI_API_KEY: key } });

  const asked = await world.run(["-m", "openai/gpt-5.2", "Hi"]);
  const other = await world.run(["-m", "ollama/llama3.2", "Hi"]);
  const words = await world.run(["config", "providers.openai"]);

  expect(asked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Reply 1") });
  expect(other).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("incipit serve --model ollama/MODEL"),
  });
  expect(words.stdout).toContain('providers.openai.kind = "openai"  # variable OPENAI_API_KEY');
  expect(words.stdout).toContain("variable OPENAI_BASE_URL");
  expect(words.stdout + words.stderr).not.toContain(key);
}, 120_000);

test("a key in the configuration file is rejected without printing it, with advice", async () => {
  await using world = await World.start({ config: null });
  const { config: file } = world;
  for (const [text, says] of [
    [`[providers.work]\nkind = "openai"\napi_key = "${key}"\n`, 'api_key_env = "WORK_API_KEY"'],
    [`[providers.work]\nkind = "openai"\napiKey = "${key}"\n`, 'api_key_env = "WORK_API_KEY"'],
    [`[providers.work]\nkind = "openai"\napi_key_env = "${key}"\n`, "never the key itself"],
  ] as const) {
    await Bun.write(file, text);
    await chmod(file, 0o600);

    const refused = await world.run(["Hi"]);

    expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain(`${file}:3: `);
    expect(refused.stderr).toContain(says);
    expect(refused.stderr).not.toContain(key);
  }
}, 60_000);

test("LM Studio and llama.cpp are contacted at their default ports, if free on this machine", async () => {
  await using world = await World.start({ config: null });
  for (const [name, port] of [
    ["lmstudio", 1234],
    ["llamacpp", 8080],
  ] as const) {
    const asked: string[] = [];
    using server = listenIfFree(port, (request) => void asked.push(`${request.method} ${request.url}`));
    if (server === undefined) continue;

    const { stderr } = await world.run(["-m", `${name}/some-model`, "Hi"]);

    expect([...new Set(asked)]).toEqual([`POST http://127.0.0.1:${port}/v1/chat/completions`]);
    expect(stderr).toContain(`"${name}" answered 400`);
  }
}, 60_000);

function listenIfFree(port: number, take: (request: Request) => void): Bun.Server<undefined> | undefined {
  const fetch = (request: Request): Response => {
    take(request);
    return new Response("no", { status: 400 });
  };
  try {
    return Bun.serve({ hostname: "127.0.0.1", port, fetch });
  } catch {
    return undefined;
  }
}
