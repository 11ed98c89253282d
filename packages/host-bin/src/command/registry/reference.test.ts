import { expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "../definitions/commands.ts";
import { optionUsage, usagesOf } from "./help.ts";
import { everywhere, options, type OptionName } from "./options.ts";

const page = join(import.meta.dir, "../../../../../docs/guide/commands.md");

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

const isOptionName = (name: string): name is OptionName => Object.hasOwn(options, name);

function reference(): string {
  const usages = commands.flatMap((command) =>
    usagesOf(commands, command).map(
      ([usage, what]) =>
        `| ${code(usage)} | ${what.replaceAll("|", "\\|")} | ${command.examples.map(code).join(" ")} |`,
    ),
  );
  const flags = Object.keys(options)
    .filter(isOptionName)
    .map((name) => {
      const takers = commands.filter((command) => command.options.includes(name));
      const names = [...new Set(takers.map((command) => (command.name === "ask" ? "a question" : command.name)))];
      const where = everywhere.some((one) => one === name) ? "all commands" : names.join(", ");
      return `| ${code(optionUsage(name))} | ${options[name].summary} | ${where} |`;
    });
  return `# Commands and options

Generated from the definitions of the command line. See [the command](command.md) for everyday use and scripts.

| command | | example |
| --- | --- | --- |
${usages.join("\n")}

## Options

| option | | commands |
| --- | --- | --- |
${flags.join("\n")}
`;
}

test("the reference of commands in the guide is generated from their definitions", async () => {
  // `UPDATE_SCREENS=1` rewrites the page.
  if (process.env["UPDATE_SCREENS"] === "1") await Bun.write(page, reference());
  expect(await Bun.file(page).text()).toBe(reference());
});
