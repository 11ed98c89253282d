import { routes, type WrittenProfileResponse } from "@incipit/transport-contract";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { AgentsWorld } from "./agents-world.ts";

interface Where {
  readonly cwd?: string;
  readonly user?: boolean;
}

export function readAgent(
  { client, work }: AgentsWorld,
  name: string,
  { cwd = work }: Where = {},
): Promise<WrittenProfileResponse> {
  return client.call(routes.getProfile, { params: { name }, query: { cwd } });
}

export function changeAgent(
  { client, work }: AgentsWorld,
  name: string,
  { text, etag, cwd = work }: Where & { readonly text: string; readonly etag: string | null },
): Promise<WrittenProfileResponse> {
  return client.call(routes.putProfile, {
    params: { name },
    headers: { "if-match": etag ?? "" },
    body: { text, cwd },
  });
}

export function newAgent(
  { client, work }: AgentsWorld,
  name: string,
  { text, cwd = work, ...where }: Where & { readonly text: string },
): Promise<WrittenProfileResponse> {
  return client.call(routes.putProfile, {
    params: { name },
    headers: { "if-none-match": "*" },
    body: { text, cwd, ...where },
  });
}

export function removeAgent(
  { client, work }: AgentsWorld,
  name: string,
  { etag, cwd = work }: Where & { readonly etag: string | null },
): Promise<{ readonly deleted: true }> {
  return client.call(routes.deleteProfile, {
    params: { name },
    query: { cwd },
    headers: { "if-match": etag ?? "" },
  });
}

export async function filesBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    const path = join(folder, name);
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) files[name] = `-> ${await readlink(path)}`;
    else if (stats.isFile()) files[name] = (await readFile(path)).toString("latin1");
  }
  return files;
}
