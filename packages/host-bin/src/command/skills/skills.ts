import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import type { CommandSourceKind, LeftOutFile } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { OptionsOf } from "../registry/options.ts";
import type { Call } from "../registry/command.ts";
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

type FolderCall<Words extends [string?] = []> = Call<Words, "cwd">;

export async function showSkill({ words, args, output, host }: FolderCall<[name: string]>): Promise<void> {
  const request = { params: { name: withoutSlash(words) }, query: { cwd: workingFolder(args) } };
  const opened = await (await host.client()).call(routes.openSkill, request);
  if (args.isJson) output.outLine(JSON.stringify(opened));
  else {
    output.out(`${opened.body}\n`);
    for (const file of opened.files) output.errLine(`with the file ${escapeHiddenLine(file)}`);
  }
}

export async function listSkills({ args, output, host }: FolderCall): Promise<void> {
  const found = await (await host.client()).call(routes.listSkills, { query: { cwd: workingFolder(args) } });
  for (const skill of found.skills) {
    const { name: shown, description, source, note, isListed } = skill;
    const remarks = [note, isListed ? null : "not listed to models: there are too many"];
    show({ args, output, found: skill, line: [shown, places[source], description], remarks });
  }
  ended({ args, output, leftOut: found.leftOut, count: found.skills.length, what: "skill" });
}

export async function showCommand({ words, args, output, host }: FolderCall<[name: string]>): Promise<void> {
  const request = { params: { name: withoutSlash(words) }, query: { cwd: workingFolder(args) } };
  const shown = await (await host.client()).call(routes.showCommand, request);
  if (args.isJson) output.outLine(JSON.stringify(shown));
  else output.out(`${shown.body}\n`);
}

export async function listCommands({ args, output, host }: FolderCall): Promise<void> {
  const found = await (await host.client()).call(routes.listCommands, { query: { cwd: workingFolder(args) } });
  for (const command of found.commands) {
    const { argumentHint, source, description, note } = command;
    const call = `/${command.name}${argumentHint === null ? "" : ` ${argumentHint}`}`;
    show({ args, output, found: command, line: [call, places[source], description ?? ""], remarks: [note] });
  }
  if (!args.isJson) for (const problem of found.problems) output.errLine(escapeHiddenLine(problem));
  ended({ args, output, leftOut: found.leftOut, count: found.commands.length, what: "command" });
}

function show({
  args,
  output,
  found,
  line: [name, place, description],
  remarks,
}: {
  readonly args: OptionsOf<"isJson">;
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
  readonly args: OptionsOf<"isJson">;
  readonly output: Output;
  readonly leftOut: readonly LeftOutFile[];
  readonly count: number;
  readonly what: "skill" | "command";
}): void {
  if (args.isJson) return;
  if (count === 0) {
    const file = what === "skill" ? "skills/NAME/SKILL.md" : "commands/NAME.md";
    output.errLine(
      `There is no ${what} here; to have one, write .agents/${file} in a folder, or ${file} beside your incipit.toml`,
    );
  }
  for (const { path, detail } of leftOut)
    output.errLine(`left out: ${escapeHiddenLine(path)}: ${escapeHiddenLine(detail)}`);
}

function withoutSlash([name]: readonly [string]): string {
  return name.replace(/^\//, "");
}
