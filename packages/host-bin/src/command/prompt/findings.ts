import type { LintFinding } from "@incipit/schema";
import { ApiClientError, type Client, routes } from "@incipit/transport-contract";
import type { OptionsOf } from "../registry/options.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import type { PreviewOption } from "./preview.ts";
import type { Call } from "../registry/command.ts";
import { readTemplate } from "./template-input.ts";

export interface Linted {
  readonly findings: readonly LintFinding[];
  readonly omitted: number;
  readonly source: string;
}

async function lintOf(client: Client, args: OptionsOf<PreviewOption>, template?: string): Promise<Linted> {
  const body = { cwd: workingFolder(args), template, model: args.model, profile: args.profile };
  return client.call(routes.lintTemplate, { body });
}

export async function lintIfThere(
  client: Client,
  args: OptionsOf<PreviewOption>,
  template: string,
): Promise<Linted> {
  try {
    return await lintOf(client, args, template);
  } catch (error) {
    if (!(error instanceof ApiClientError) || error.code !== "SERVICE_UNAVAILABLE") throw error;
    return { findings: [], omitted: 0, source: "" };
  }
}

export function hasErrors({ findings }: Linted): boolean {
  return findings.some(({ severity }) => severity === "error");
}

/** Formats each finding like a compiler: its place and problem, then the fix. */
export function findingLines({ findings }: Linted, label: string): readonly string[] {
  return findings.flatMap(({ line, column, severity, message, code, fix }) => [
    `${label}:${line}:${column}: ${severity}: ${message} [${code}]`,
    `    ${fix}`,
  ]);
}

export function summary({ findings, omitted }: Linted): string {
  const counts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    if (count === 0) return [];
    const noun = severity === "info" ? "remark" : severity;
    return [`${count} ${noun}${count === 1 ? "" : "s"}`];
  });
  if (omitted > 0) counts.push(`${omitted} more that are not shown`);
  return counts.length === 0 ? "nothing to say" : counts.join(", ");
}

export async function lintPrompt(call: Call<[template?: string], PreviewOption>): Promise<number> {
  const { args, output, host } = call;
  const [argument] = call.words;
  const client = await host.client();
  const input = argument === undefined ? undefined : await readTemplate(argument, "lint");
  const linted = await lintOf(client, args, input?.template);
  if (args.isJson) output.outLine(JSON.stringify(linted));
  else {
    for (const line of findingLines(linted, input?.label ?? "template")) output.outLine(line);
    output.errLine(`${input?.from ?? linted.source}: ${summary(linted)}`);
  }
  return hasErrors(linted) ? 1 : 0;
}
