import * as z from "zod";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/storage-failure.ts";
import { keys } from "./stored.ts";

export async function childIds(
  { storage }: Pick<OrchestratorContext, "storage">,
  parentId: string,
  { before = "~", limit }: { readonly before?: string; readonly limit: number },
): Promise<readonly string[]> {
  const prefix = keys.tasks(parentId);
  const range = { start: prefix, end: `${prefix}${before}`, reverse: true, limit };
  const rows = await withServiceErrors(() => storage.list(range, z.unknown()));
  return rows.map(({ key }) => key.slice(prefix.length));
}
