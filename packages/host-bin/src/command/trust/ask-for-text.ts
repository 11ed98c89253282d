import { type Client, routes } from "@incipit/transport-contract";
import { existsSync, realpathSync } from "node:fs";
import * as z from "zod";
import { quoted } from "@incipit/cli-text";
import { openTrustStore, readFolderFile, type TrustStore } from "@incipit/host/trust";
import { gutter } from "@incipit/cli-text/questions";
import type { AskPerson } from "../questions/ask-at-terminal.ts";
import { askYesNo } from "../questions/ask-yes-no.ts";
import type { Output } from "../output/output.ts";
import { trustLabels } from "./folder-text.ts";
import { decodeText } from "@incipit/schema";
import type { FileTrust } from "@incipit/service-contract";
import { basename, dirname, join, relative } from "node:path";
import { isInside } from "@incipit/common/system";

export interface AskForTextOptions {
  readonly client: Client;
  readonly conversationId: string;
  readonly dataFolder: string;
  readonly output: Pick<Output, "err" | "errLine" | "errWidth" | "hold">;
  readonly askPerson: AskPerson;
  readonly undone: string;
  readonly signal: AbortSignal;
}

const untrustedSchema = z.array(z.object({ variable: z.string(), source: z.string() }));

const manyRows = 15;

/** Trusts only the shown bytes, by hash. If the file changes in the meantime, the question is repeated. */
export async function askForText(
  details: unknown,
  options: AskForTextOptions,
): Promise<"trusted" | "refused" | "interrupted" | "nothing-to-ask"> {
  const { client, conversationId: id, dataFolder, output, undone } = options;
  const { success, data: untrusted } = untrustedSchema.safeParse(details);
  if (!success) return "nothing-to-ask"; // A host of another version, whose error is printed as is.
  const store = openTrustStore(dataFolder, output.errLine);
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  const reading = { store, cwd: realpathSync(conversation.cwd) };
  const ofGit = untrusted.map(({ variable }) => variable).filter((variable) => variable.startsWith("git:"));
  const files = untrusted.filter(({ variable }) => variable.startsWith("file:")).map(({ source }) => source);
  let isAsked = false;
  // Trusting a file of a folder also implies trust in its git data.
  for (const path of [...(ofGit.length === 0 ? [] : [undefined]), ...new Set(files)]) {
    const found =
      path === undefined
        ? untrustedRepository(await gitDataLines(ofGit, { client, cwd: reading.cwd }), reading)
        : readUntrustedFile(path, reading);
    if (found === undefined) continue;
    if ("reason" in found) {
      output.errLine(`${undone}: nobody can be asked about ${quoted(path ?? reading.cwd)}: ${found.reason}`);
      return "refused";
    }
    isAsked = true;
    const isGitCovered = path !== undefined && store.folder(found.folder) === undefined;
    output.err(textWords(found, { width: output.errWidth, isGitCovered }));
    const answer = await answerOf(options);
    if (answer !== "yes") {
      output.errLine(
        `${undone}: by [prompt] untrusted = "ask", a model is told only what you trust. "blank" there leaves the rest out`,
      );
      return answer === "no" ? "refused" : "interrupted";
    }
    store.trustAlso(found.folder, found.files);
  }
  return isAsked ? "trusted" : "nothing-to-ask";
}

/** Stopping the turn during the question is not an answer. */
async function answerOf({ askPerson, output, signal }: AskForTextOptions): Promise<"yes" | "no" | "interrupt"> {
  using _ = output.hold();
  try {
    return await askYesNo("Trust it, as it is shown here? [y/N] ", { askPerson, signal, comesByItself: true });
  } catch (error) {
    if (signal.aborted) return "interrupt";
    throw error;
  }
}

/** Git data comes from the host and has no hash. */
async function gitDataLines(
  variables: readonly string[],
  { client, cwd }: { readonly client: Client; readonly cwd: string },
): Promise<string> {
  const template = variables.map((variable) => `[${variable}]`).join("\n");
  const { explain } = await client.call(routes.previewSystemPrompt, { body: { template, cwd } });
  return explain.variables
    .filter(({ type, name }) => variables.includes(`${type}:${name}`))
    .map(({ type, name, value }) => `${type}:${name}\n${value ?? ""}`)
    .join("\n");
}

function textWords(
  { path, folder, state, text, sizeBytes, files }: UntrustedText,
  { width, isGitCovered }: { readonly width: number; readonly isGitCovered: boolean },
): string {
  const rows = gutter(text.replace(/\r?\n$/, ""), { width });
  const isFile = Object.keys(files).length > 0;
  const what = isFile ? `what ${quoted(path)} says` : `what git says of ${quoted(path)}`;
  const size = `${trustLabels[state]}, ${sizeBytes} bytes`;
  const covers = isFile
    ? isGitCovered && repositoryAround(folder) === folder
      ? ["A yes covers this text alone, and what git says of the folder, whatever that becomes"]
      : ["A yes covers this text alone: it is asked about again when it changes"]
    : ["A yes covers whatever git says of that folder later, too"];
  const long =
    rows.length > manyRows
      ? [`(${rows.length.toLocaleString("en-US")} rows, from "The model would be told" on: read them all)`]
      : [];
  return [`The model would be told ${what} (${size}):`, ...rows, ...long, ...covers, ""].join("\n");
}

interface UntrustedText {
  readonly path: string;
  readonly folder: string;
  readonly state: FileTrust;
  readonly text: string;
  readonly sizeBytes: number;
  /** Hashes of the shown bytes, by path relative to the folder; covered by a yes. */
  readonly files: Readonly<Record<string, string>>;
}

/** A user can review as much. */
const maxBytes = 1_048_576;

interface ReadOptions {
  readonly store: TrustStore;
  readonly cwd: string;
}

/** `undefined` for a missing or already trusted file, or the reason why no question is possible. */
export function readUntrustedFile(
  path: string,
  { store, cwd }: ReadOptions,
): UntrustedText | { readonly reason: string } | undefined {
  // A link may lead out of the working folder.
  const folder = isInside(path, cwd) ? cwd : dirname(path);
  const name = isInside(path, cwd) ? relative(cwd, path) : basename(path);
  const file = readFolderFile(folder, { name, maxBytes });
  if (file.kind === "absent") return undefined;
  if (file.kind === "refused") return { reason: file.reason };
  if (file.path !== path) return { reason: "it has become a link to another file" };
  const { bytes, sha256 } = file;
  const state = store.judge(path, sha256);
  if (state === "trusted") return undefined;
  // Decoded as for a prompt; invalid bytes are shown as far as possible.
  const text = decodeText(bytes)?.text ?? new TextDecoder().decode(bytes);
  return { path, folder, state, text, sizeBytes: bytes.length, files: { [name]: sha256 } };
}

function untrustedRepository(
  text: string,
  { store, cwd }: ReadOptions,
): UntrustedText | { readonly reason: string } | undefined {
  const path = repositoryAround(cwd);
  if (path === undefined) return { reason: "its repository is not found" };
  if (store.folder(path) !== undefined) return undefined;
  return { path, folder: path, state: "not-trusted", text, sizeBytes: Buffer.byteLength(text), files: {} };
}

function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : repositoryAround(dirname(folder));
}
