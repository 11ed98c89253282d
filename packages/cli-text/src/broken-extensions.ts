import type { ExtensionInfo } from "@incipit/transport-contract";
import { clippedLine } from "@incipit/schema/text";
import { shellWord } from "./quoted.ts";

export type ExtensionState = Pick<
  ExtensionInfo,
  "id" | "path" | "phase" | "lastError" | "waitsFor" | "contributes" | "provides"
>;

export interface BrokenExtension {
  readonly id: string;
  readonly path: string | null;
  readonly code: string;
  readonly why: string;
  /** How to repair it: a command, with the steps before it. */
  readonly mend: string;
  /** `true` if its manifest could not be read. */
  readonly mayHaveTools: boolean;
}

const maxWhy = 240;

/** Includes extensions that wait for a service without provider; unloaded and disabled ones are intended. */
export function brokenExtensions(extensions: readonly ExtensionState[]): readonly BrokenExtension[] {
  return extensions.flatMap(({ id, path, phase, lastError, waitsFor, contributes }): readonly BrokenExtension[] => {
    const mayHaveTools = contributes.some((point) => toolPoints.has(point));
    if (phase === "waiting" && waitsFor.length > 0)
      return [{ id, path, code: "SERVICE_UNAVAILABLE", ...missing(waitsFor, extensions), mayHaveTools }];
    if (phase !== "failed") return [];
    const { code = "ACTIVATE_FAILED", message = "no reason given" } = lastError ?? {};
    const isUnread = path !== null && contributes.length === 0;
    const why = message.replace(`Cannot start "${id}": `, "");
    return [{ id, path, code, why, mend: mendOf(id, { path, code }), mayHaveTools: mayHaveTools || isUnread }];
  });
}

export function brokenExtensionsLine(broken: readonly BrokenExtension[]): string | undefined {
  const [first, ...more] = broken;
  if (first === undefined) return undefined;
  const said = more.length === 0 ? "" : `, nor did ${more.map(({ id }) => `"${id}"`).join(", ")}`;
  const why = clippedLine(first.why, { maxCharacters: maxWhy });
  return `The extension "${first.id}" did not start (${first.code}): ${why}${said}. What to do: incipit doctor`;
}

export function missingToolsLines(broken: readonly BrokenExtension[]): readonly string[] {
  return broken
    .filter(({ mayHaveTools }) => mayHaveTools)
    .map(({ id, code, why, mend }) => {
      const reason = clippedLine(why, { maxCharacters: maxWhy });
      return `The tools of "${id}" are missing, because it did not start (${code}): ${reason}. What to do: ${mend}`;
    });
}

const toolPoints: ReadonlySet<string> = new Set(["tools@1", "tool-sources@1"]);

function missing(
  waitsFor: readonly string[],
  extensions: readonly ExtensionState[],
): Pick<BrokenExtension, "why" | "mend"> {
  const why = `it waits for ${waitsFor.map((service) => `"${service}"`).join(", ")}`;
  const provider = extensions.find(({ provides }) => provides.some((service) => waitsFor.includes(service)));
  if (provider === undefined)
    return {
      why: `${why}, which no extension provides`,
      mend: "add one that does (incipit extensions add PATH), or add this one to [extensions] disabled",
    };
  return {
    why: `${why} of "${provider.id}", which is ${provider.phase}`,
    mend: `incipit extensions load ${provider.id}`,
  };
}

interface Unloaded {
  readonly path: string | null;
  readonly code: string;
  /** Whether an operator added it, rather than the configuration. */
  readonly isAdded?: boolean;
}

export function mendOf(id: string, { path, code, isAdded }: Unloaded): string {
  if (path === null) return `incipit extensions load ${id}; if it fails again, add it to [extensions] disabled`;
  if (code === "GRANT_REQUIRED") return `incipit extensions add ${shellWord(path)}`;
  if (code === "FOLDER_INVALID") {
    const remove = `incipit extensions remove ${id}`;
    if (isAdded === true) return `put the extension there, or: ${remove}`;
    const leaveOut = "put the extension there, or take the folder out of [extensions] paths";
    return isAdded === false ? leaveOut : `${leaveOut}; if you added it: ${remove}`;
  }
  return `fix that in ${shellWord(path)}, then: incipit extensions load ${id}`;
}
