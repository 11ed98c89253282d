import { parseJson } from "@incipit/kernel";
import {
  callToolName,
  searchToolName,
  type ChangedFile,
  type FileChanges,
  type Message,
  type MessagePart,
} from "@incipit/schema";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { callName, undoneWork, type UndoneRange, type UndoneWork } from "./undone-changes.ts";
import { undoneFiles, type UndoneFile } from "./undone-files.ts";

/** @throws {ServiceError} as `undoneWork` */
export async function listFileChanges(
  context: OrchestratorContext,
  range: UndoneRange,
  signal: AbortSignal,
): Promise<FileChanges> {
  const work = await undoneWork(context, range);
  const files: ChangedFile[] = [];
  for await (const file of undoneFiles(context, work.changes, signal)) files.push(await shown(file, signal));
  return { files, otherTools: [...otherTools(context, work)] };
}

async function shown(file: UndoneFile, signal: AbortSignal): Promise<ChangedFile> {
  const { path, cwd, state } = file;
  if (file.state !== "restorable") return { path, state, ...(file.why === undefined ? {} : { why: file.why }) };
  const { files, action, from, to } = file;
  const [preview, why] = await Promise.all([
    files.preview(path, { from, to }),
    files.reasonToAsk(path, { cwd, signal }),
  ]);
  return { path, state, action, preview, ...(why === undefined ? {} : { why }) };
}

const calledSchema = z.object({ name: z.string() });

function otherTools({ tools }: OrchestratorContext, { messages, changes, taskCalls }: UndoneWork): Set<string> {
  const namesOf = (isMeant: (tool: Tool) => boolean): ReadonlySet<string> =>
    new Set(tools.current.filter(({ value }) => isMeant(value)).map(({ value }) => value.name));
  const readOnly = namesOf((tool) => tool.isReadOnly === true);
  const keeping = namesOf((tool) => tool.keepsFiles === true);
  const failed = new Set(messages.flatMap(failedCalls));
  const kept = new Set(changes.flatMap(({ by }) => ("turnId" in by ? [callName(by)] : [])));
  const names = new Set<string>();
  for (const { turnId, parts } of messages)
    for (const part of parts) {
      if (part.type !== "tool-call") continue;
      const call = callName({ turnId, toolCallId: part.toolCallId });
      const name = calledName(part);
      if (kept.has(call) || taskCalls.has(call) || readOnly.has(name) || name === searchToolName) continue;
      if (!keeping.has(name) || !failed.has(call)) names.add(name);
    }
  return names;
}

function failedCalls({ turnId, parts }: Message): readonly string[] {
  return parts.flatMap((part) =>
    part.type === "tool-result" && part.isError ? [callName({ turnId, toolCallId: part.toolCallId })] : [],
  );
}

function calledName({ name, input }: Extract<MessagePart, { type: "tool-call" }>): string {
  if (name !== callToolName) return name;
  try {
    return calledSchema.parse(parseJson(input)).name;
  } catch {
    return name;
  }
}
