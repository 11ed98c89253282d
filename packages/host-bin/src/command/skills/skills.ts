import { suggestion } from "@incipit/common/suggestion";
import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import type { CommandSourceKind, LeftOutFile } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import { filled } from "../output/fitted.ts";
import type { Output } from "../output/output.ts";

const maxDescription = 90;

const places: Readonly<Record<CommandSourceKind, string>> = {
  folder: "this folder",
  user: "yours",
  configured: "configured",
  server: "a server",
};

export async function skills(client: Client, args: Arguments, output: Output): Promise<number> {
  const name = nameToShow("skills", args);
  const query = { cwd: workingFolder(args) };
  if (name !== undefined) {
    const opened = await client.call(routes.openSkill, { params: { name }, query });
    if (args.isJson) output.outLine(JSON.stringify(opened));
    else {
      output.out(`${opened.body}\n`);
      for (const file of opened.files) output.errLine(`beside it: ${escapeHiddenLine(file)}`);
    }
    return 0;
  }
  const found = await client.call(routes.listSkills, { query });
  for (const skill of found.skills) {
    const { name: shown, description, source, note, isListed } = skill;
    const remarks = [note, isListed ? null : "models are not told of it: there are too many"];
    show({ args, output, found: skill, line: [shown, places[source], description], remarks });
  }
  return ended({ args, output, leftOut: found.leftOut, count: found.skills.length, what: "skill" });
}

export async function commands(client: Client, args: Arguments, output: Output): Promise<number> {
  const name = nameToShow("commands", args);
  const query = { cwd: workingFolder(args) };
  if (name !== undefined) {
    const shown = await client.call(routes.showCommand, { params: { name }, query });
    if (args.isJson) output.outLine(JSON.stringify(shown));
    else output.out(`${shown.body}\n`);
    return 0;
  }
  const found = await client.call(routes.listCommands, { query });
  for (const command of found.commands) {
    const { argumentHint, source, description, note } = command;
    const call = `/${command.name}${argumentHint === null ? "" : ` ${argumentHint}`}`;
    show({ args, output, found: command, line: [call, places[source], description ?? ""], remarks: [note] });
  }
  if (!args.isJson) for (const problem of found.problems) output.errLine(escapeHiddenLine(problem));
  return ended({ args, output, leftOut: found.leftOut, count: found.commands.length, what: "command" });
}

function show({
  args,
  output,
  found,
  line: [name, place, description],
  remarks,
}: {
  readonly args: Arguments;
  readonly output: Output;
  readonly found: object;
  readonly line: readonly [name: string, place: string, description: string];
  readonly remarks: readonly (string | null)[];
}): void {
  if (args.isJson) return output.outLine(JSON.stringify(found));
  const said = clippedLine(description, { maxCharacters: maxDescription });
  output.outRow(`${filled(escapeHiddenLine(name), 24)}  ${place.padEnd(11)}  ${said}`.trimEnd());
  for (const remark of remarks) if (remark !== null) output.errLine(`  ${escapeHiddenLine(remark)}`);
}

function ended({
  args,
  output,
  leftOut,
  count,
  what,
}: {
  readonly args: Arguments;
  readonly output: Output;
  readonly leftOut: readonly LeftOutFile[];
  readonly count: number;
  readonly what: "skill" | "command";
}): number {
  if (args.isJson) return 0;
  if (count === 0) {
    const file = what === "skill" ? "skills/NAME/SKILL.md" : "commands/NAME.md";
    output.errLine(
      `There is no ${what} here; to have one, write .agents/${file} in a folder, or ${file} beside your incipit.toml`,
    );
  }
  for (const { path, detail } of leftOut)
    output.errLine(`left out: ${escapeHiddenLine(path)}: ${escapeHiddenLine(detail)}`);
  return 0;
}

function nameToShow(command: "skills" | "commands", { words }: Arguments): string | undefined {
  const [action = "list", name, stray] = words;
  if (action !== "list" && action !== "show")
    throw new UsageError(`There is no "${command} ${action}"${suggestion(action, ["list", "show"])}`);
  if (action === "show" && name === undefined)
    throw new UsageError(`"${command} show" needs a name; write: incipit ${command} show NAME`);
  const extra = action === "list" ? name : stray;
  if (extra !== undefined) throw new UsageError(`"${command} ${action}" takes no "${extra}"`);
  return name?.replace(/^\//, "");
}
