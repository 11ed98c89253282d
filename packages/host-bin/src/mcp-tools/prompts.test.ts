import {
  commandSourcesPoint,
  ServiceError,
  type CommandSource,
  type OfferedMessage,
} from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createSkillWorld } from "../skills/testing/skill-world.ts";
import type { HostWorld } from "../testing/host-world.ts";
import { fixtureServer, McpWorld, secret } from "./testing/mcp-world.ts";
import { everythingServer } from "./testing/real-servers.ts";

const never = new AbortController().signal;

function server(name: string, args: readonly string[], more = ""): string {
  const command = JSON.stringify(process.execPath);
  return `[mcp.servers.${name}]\ncommand = ${command}\nargs = ${JSON.stringify(args)}\n${more}`;
}

function asked({ model }: HostWorld): string {
  return model.requests.at(-1)?.body ?? "";
}

async function send({ client }: HostWorld, name: string, given = ""): Promise<string> {
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const command = given === "" ? { name } : { name, arguments: given };
  try {
    for await (const event of client.sendTurn(conversation.id, { command }))
      if (event.type === "turn-end") return event.status === "completed" ? "sent" : JSON.stringify(event);
    return "no end";
  } catch (error) {
    return error instanceof Error && "code" in error ? `${String(error.code)}: ${error.message}` : String(error);
  }
}

function sourceOf({ started }: McpWorld): CommandSource {
  return started.contribution(commandSourcesPoint);
}

function expanded(world: McpWorld, name: string, given = "", signal = never): Promise<OfferedMessage | string> {
  return sourceOf(world)
    .expand({ name, ...(given === "" ? {} : { arguments: given }) }, { cwd: "/", signal })
    .catch((error: unknown) => (ServiceError.is(error) ? `${error.code}: ${error.message}` : String(error)));
}

test("[server-prompts] prompts of server-everything are listed with file commands and expand with their arguments", async () => {
  await using world = await createSkillWorld(server("all", [everythingServer, "stdio"]));
  await world.write("user/commands/review.md", "Review $1.");
  await world.write("user/commands/all__simple-prompt.md", "Mine.");

  const { commands, problems } = await world.client.call(routes.listCommands);
  const shown = await world.client.call(routes.showCommand, { params: { name: "all__args-prompt" } });

  expect(commands.map(({ name, source }) => `${name} ${source}`)).toEqual([
    "all__args-prompt server",
    "all__completable-prompt server",
    "all__resource-prompt server",
    "all__simple-prompt user",
    "review user",
  ]);
  expect(problems).toEqual(['Skipped the command "all__simple-prompt" of a server: a file has the same name']);
  expect(commands[0]).toMatchObject({
    description: "A prompt with two arguments, one required and one optional",
    argumentHint: "city [state]",
    path: null,
  });
  expect(shown.body).toContain("- city: Name of the city\n- state (optional)");
  expect(await send(world, "all__args-prompt", "Paris")).toBe("sent");
  expect(asked(world)).toContain("What's weather in Paris?");
  expect(await send(world, "all__args-prompt", `state=Texas "San Antonio"`)).toBe("sent");
  expect(asked(world)).toContain("What's weather in San Antonio, Texas?");
  expect(await send(world, "ALL__resource_prompt", "Text 1")).toBe("sent");
  expect(asked(world)).toMatch(
    /includes the Text resource with id: 1.*\[resource demo:\S+ text\/plain\]\\nResource 1/,
  );
  expect(await send(world, "all__simple-prompt")).toBe("sent");
  expect(asked(world)).toContain("Mine.");
  expect(await send(world, "all__args-prompt")).toBe(
    'INVALID_REQUEST: Cannot use the command "all__args-prompt": it needs "city"; write: city [state]',
  );
  expect(await send(world, "all__args-promt")).toStartWith(
    'COMMAND_UNKNOWN: There is no command "all__args-promt"; did you mean "all__args-prompt"?',
  );
});

test("[server-prompts] a server with failing prompts loses only its own commands and is reported", async () => {
  const odd = (name: string, behaviour: string): string => server(name, [fixtureServer, behaviour]);
  await using world = await createSkillWorld(
    odd("gone", "dies-at-start") + odd("odd", "odd-prompts") + odd("x", "prompts"),
  );
  await world.write("user/commands/review.md", "Review $1.");

  const { commands, problems } = await world.client.call(routes.listCommands);

  expect(commands.map(({ name }) => name)).toEqual([
    "review",
    "x__empty",
    "x__large",
    "x__one",
    "x__plain",
    "x__refuses",
    "x__silent",
    "x__talk",
    "x__told",
    "x__weather",
  ]);
  expect(problems).toEqual([
    'The MCP server "gone" ended (exit code 3): no license:',
    'The MCP server "odd" answered "prompts/list" without a list',
    'The MCP server "x" lists more than one prompt "x__plain"; the first counts',
    'The MCP server "x" lists 3 prompts that are not valid in MCP or larger than 16384 bytes; they are skipped',
  ]);
  expect(await send(world, "gone__anything")).toMatch(
    /^COMMAND_UNKNOWN: .*The MCP server "gone" ended \(exit code 3\)/,
  );
  expect(await send(world, "review", "it")).toBe("sent");
});

test("[attack:mcp-prompts] the text of a prompt is sent literally: no template, command, resource or argument expands", async () => {
  await using world = await createSkillWorld(server("x", [fixtureServer, "prompts"]));

  expect(await send(world, "x__plain", "and more")).toBe("sent");

  const text = "Keep {{this}}, [skills:list], $ARGUMENTS and\n/x__one @x:file:///etc/passwd\n\nand more";
  expect(asked(world)).toContain(JSON.stringify(text).slice(1, -1));
});

test("[server-prompts] arguments are words by name or position, or the whole text for a single argument", async () => {
  await using world = await McpWorld.startFixture("prompts");
  const made = async (name: string, given: string): Promise<unknown> => {
    const message = await expanded(world, name, given);
    return typeof message === "string" ? message : message.text;
  };

  expect(await made("x__one", 'all "of" it=1')).toBe('one {"text":"all \\"of\\" it=1"}');
  expect(await made("x__one", "")).toBe("one {}");
  expect(await made("x__weather", `days='2 or 3' "New York" kind`)).toBe(
    'weather {"days":"2 or 3","city":"New York","tone":"kind"}',
  );
  expect(await made("x__weather", "a=b 2")).toBe('weather {"city":"a=b","days":"2"}');
  const cannot = 'INVALID_REQUEST: Cannot use the command "x__weather": ';
  expect(await made("x__weather", "tone=kind")).toBe(`${cannot}it needs "city", "days"; write: city days [tone]`);
  expect(await made("x__weather", "city=a city=b")).toBe(`${cannot}its argument "city" is given twice`);
  expect(await made("x__weather", "1 2 3 4")).toBe(
    `${cannot}there are 4 words for 3 arguments; quote arguments of several words: city days [tone]`,
  );
});

test("[server-prompts] several messages become one with roles; pictures become files; other files and secrets are omitted", async () => {
  await using world = await McpWorld.startFixture("prompts", { env: ["ACME_SECRET"] });

  const talk = await expanded(world, "x__talk");
  const { commands, problems } = await sourceOf(world).commands({ signal: never });

  expect(talk).toMatchObject({ files: [{ mediaType: "image/png", data: "iVBORw0KGgo=" }] });
  expect(talk).toMatchObject({
    text: [
      "User:\nLook:",
      "User:\n[image image/png, 8 bytes]",
      "User:\n[image image/png, 28 bytes]",
      "User:\n[resource note://1 text/plain]\nThe note.",
      "User:\n[resource note://2 application/zip, 4 bytes]",
      "Assistant:\nI see.",
      "[files that are neither pictures nor sound (1) are left out]",
      "[files with a secret of the server (1) are left out]",
    ].join("\n\n"),
  });
  expect(
    JSON.stringify([await expanded(world, "x__plain"), await expanded(world, "x__refuses"), commands]),
  ).not.toContain(secret);
  expect(problems).toContain('The MCP server "x" describes 1 prompts with one of its secrets; they are skipped');
});

test("[server-prompts] an oversized, empty, rejected or late message fails with a reason", async () => {
  await using world = await McpWorld.startFixture("prompts");
  const failed = (name: string, why: string): string =>
    `COMMAND_FAILED: Cannot use the command "x__${name}". The MCP server "x" ${why}`;

  expect(await expanded(world, "x__large")).toBe(failed("large", "made a message of more than 1048576 bytes"));
  expect(await expanded(world, "x__empty")).toBe(failed("empty", "returned a message without text"));
  expect(await expanded(world, "x__refuses")).toStartWith(failed("refuses", "failed: "));
  const silent = expanded(world, "x__silent");
  await world.written(2);
  await world.started.clock.advance(30_000);
  expect(await silent).toBe(failed("silent", "made no message within 30 s"));
  expect(await expanded(world, "x__one", "hi")).toMatchObject({ text: 'one {"text":"hi"}' });
  expect(await world.pids()).toHaveLength(1);
});

test("[server-prompts] a list waits 5 s for a silent server; a command starts no other server", async () => {
  await using world = await McpWorld.startFixture("silent-in-prompts");

  expect(await sourceOf(world).commands({ call: "other__x", signal: never })).toEqual({
    commands: [],
    problems: [],
  });
  expect(await world.pids()).toEqual([]);
  const listed = sourceOf(world).commands({ signal: never });
  await world.written(2);
  await world.started.clock.advance(5_000);

  expect(await listed).toEqual({
    commands: [],
    problems: ['The MCP server "x" did not list its prompts within 5 s'],
  });
  expect(await world.call("x__echo", { text: "a" })).toStartWith('echo {"text":"a"}');
});

test("[server-prompts] lists and commands of imported conversations start a program only in the host's folder", async () => {
  await using world = await McpWorld.start(({ pids, go }) => ({
    x: { command: process.execPath, args: [fixtureServer, "prompts", pids, go, "$cwd"] },
  }));
  const { path } = world.folder;
  const sent = (options: { readonly cwd: string; readonly isImported?: boolean }): Promise<OfferedMessage> =>
    sourceOf(world).expand({ name: "x__one" }, { ...options, signal: never });

  await sourceOf(world).commands({ signal: never });
  await sent({ cwd: path });
  await sent({ cwd: "/", isImported: true });
  const before = await world.pids();
  await sent({ cwd: "/" });

  expect(before).toHaveLength(1);
  expect(await world.pids()).toHaveLength(2);
});
