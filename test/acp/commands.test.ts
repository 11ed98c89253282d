import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createAcpWorld, messagesOf } from "./acp-world.ts";

test("an editor is told of the commands, and what is sent by a command's name is its text; any other slash is the user's", async () => {
  await using world = await createAcpWorld();
  const file = join(dirname(world.options.config), "commands/review.md");
  await mkdir(dirname(file), { recursive: true });
  await Bun.write(file, "---\ndescription: Reviews a change\nargument-hint: branch\n---\nReview $1.");
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);

  const told = (): ReturnType<typeof editor.updates> => editor.updatesOf(session, "available_commands_update");
  await editor.waitFor(() => told().length > 0);
  const [update] = told();
  await editor.prompt(session, "/review main");
  await editor.prompt(session, "/etc/hosts says what?");
  await editor.prompt(session, "/unknown words");

  expect(update).toMatchObject({
    availableCommands: [{ name: "review", description: "Reviews a change", input: { hint: "branch" } }],
  });
  expect(
    messagesOf(world.model.requests.at(-1)?.body)
      .filter(({ role }) => role === "user")
      .map(({ text }) => text),
  ).toEqual(["Review main.", "/etc/hosts says what?", "/unknown words"]);
});
