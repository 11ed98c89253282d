import { defineExtension, type Extension } from "@incipit/kernel";
import { commandsHandle, commandSourcesPoint, ServiceError, type CommandSource } from "@incipit/service-contract";
import { startExtension, type StartedExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import skills from "./extension.ts";

const query = { cwd: "/work", signal: new AbortController().signal };
const command = { name: "acme__go", description: "Goes\n on", argumentHint: null, body: "It goes." };

function sourceOf(id: string, source: Partial<CommandSource>): Extension {
  return defineExtension(
    { id: `acme.${id}`, version: "1.0.0", api: "^1", contributes: ["command-sources@1"] },
    (host) =>
      host.contribute(commandSourcesPoint, {
        id,
        commands: async () => ({ commands: [command], problems: [] }),
        expand: async () => ({ text: "Go.", files: [] }),
        ...source,
      }),
  );
}

function start(...sources: readonly Extension[]): Promise<StartedExtension> {
  return startExtension([skills, ...sources], { files: { "/work/.keep": "" } });
}

function codeOf(error: unknown): string {
  return ServiceError.is(error) ? `${error.code}: ${error.message}` : String(error);
}

test("commands lists and expands a source's commands, and reports failing, slow or invalid sources", async () => {
  const late = Promise.withResolvers<void>();
  await using started = await start(
    sourceOf("good", {}),
    sourceOf("broken", { commands: () => Promise.reject(new Error("out of luck")) }),
    sourceOf("late", {
      commands: ({ signal }) => {
        late.resolve();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("Too late"))));
      },
    }),
    sourceOf("same", {
      commands: async () => ({ commands: [command, { ...command, name: "a b" }], problems: ["Half of it"] }),
    }),
    // @ts-expect-error -- An extension need not be written in TypeScript.
    sourceOf("wrong", { commands: async () => ({ commands: "none" }) }),
  );

  const listing = started.service(commandsHandle).list(query);
  await late.promise;
  await started.clock.advance(10_000);
  const { commands, problems } = await listing;

  expect(commands).toMatchObject([{ name: "acme__go", description: "Goes on", source: "server", path: null }]);
  expect(problems).toEqual([
    'The commands of "broken": out of luck',
    'The commands of "late": no answer within 10 s',
    "Half of it",
    'The command "acme__go" of "same" is skipped: another command has the same name',
    'A command of "same" is skipped: its name "a b" is not valid',
    'The commands of "wrong": its answer is not a list of commands and problems',
  ]);
});

test("commands reports an invalid message as COMMAND_FAILED and forwards the source's own errors", async () => {
  const made = async (expand: CommandSource["expand"]): Promise<unknown> => {
    await using started = await start(sourceOf("good", { expand }));
    return started.service(commandsHandle).expand({ name: "acme__go" }, query).catch(codeOf);
  };

  expect(
    await made(async () => ({ text: "Go $1.", files: [{ mediaType: "image/png", data: "AA==" }] })),
  ).toMatchObject({
    text: "Go $1.",
    files: [{ type: "file", mediaType: "image/png", data: "AA==" }],
  });
  expect(await made(() => Promise.reject(new Error("no luck")))).toBe(
    'COMMAND_FAILED: Cannot use the command "acme__go": no luck',
  );
  expect(await made(async () => ({ text: " ", files: [] }))).toStartWith("COMMAND_FAILED: ");
  expect(await made(async () => ({ text: "x".repeat(1_048_577), files: [] }))).toStartWith("COMMAND_FAILED: ");
  const refusal = new ServiceError("INVALID_REQUEST", "It needs a place");
  expect(await made(() => Promise.reject(refusal))).toBe("INVALID_REQUEST: It needs a place");
});
