import type { LintFinding } from "@incipit/schema";
import { ApiClientError, routes, type Client } from "@incipit/transport-contract";
import type { OptionsOf } from "../registry/options.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import type { PreviewOption } from "./preview-body.ts";

export interface Linted {
  readonly findings: readonly LintFinding[];
  readonly omitted: number;
  readonly source: string;
}

export async function lintOf(client: Client, args: OptionsOf<PreviewOption>, template?: string): Promise<Linted> {
  const body = {
    cwd: workingFolder(args),
    ...(template === undefined ? {} : { template }),
    ...(args.model === undefined ? {} : { model: args.model }),
    ...(args.profile === undefined ? {} : { profile: args.profile }),
  };
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

/** Place and problem in compiler format, then the fix. */
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
