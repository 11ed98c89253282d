import { hasHidden } from "@incipit/schema";

/** Where what people send is kept, below a conversation's folder. */
export const inboxPath = ".incipit/inbox";

const maxPathBytes = 4_096;

/**
 * Why a path cannot be that of a file to be sent, whatever is there; `undefined`: nothing speaks against it. What counts is how
 * it is written: where it leads is judged when it is read.
 */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "it names no file";
  if (Buffer.byteLength(path) > maxPathBytes) return "its path is too long";
  if (hasHidden(path)) return "its path has a hidden character";
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|(?:data|file):)/i.test(path))
    return "it is an address; only files of the working folder are sent";
  if (path.startsWith("~")) return "its path begins with ~; it must be relative to the working folder";
  if (/^(?:\/|[a-z]:[/\\]?)/i.test(path)) return "its path is absolute; it must be relative to the working folder";
  if (path.includes("\\")) return 'its path has "\\"; folders are parted by "/"';
  if (path.split("/").includes("..")) return 'its path has ".."; it must stay in the working folder';
  return hiddenProblem(path);
}

/** What is hidden are settings, histories and keys: nobody means them when files are sent. The inbox alone is shown. */
export function hiddenProblem(path: string): string | undefined {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const shown = parts.join("/").startsWith(`${inboxPath}/`) ? parts.slice(2) : parts;
  const hidden = shown.find((part) => part.startsWith("."));
  return hidden === undefined ? undefined : `"${hidden}" is hidden; such files are not sent`;
}
