import { hasHidden } from "@incipit/schema";

export const inboxPath = ".incipit/inbox";

const maxPathBytes = 4_096;

/** Checks the spelling alone; the target is checked when the file is read. */
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

/** Returns why a hidden file is not sent: it may be a setting, a history or a key. The inbox is exempt. */
export function hiddenProblem(path: string): string | undefined {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const shown = parts.join("/").startsWith(`${inboxPath}/`) ? parts.slice(2) : parts;
  const hidden = shown.find((part) => part.startsWith("."));
  return hidden === undefined ? undefined : `"${hidden}" is hidden; such files are not sent`;
}
