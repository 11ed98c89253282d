import { join } from "node:path";

interface Mount {
  readonly device: string;
  readonly root: string;
  readonly at: string;
}

/**
 * Includes paths through other mounts of its parents or subfolders. `mountInfo` is the content of /proc/self/mountinfo.
 */
export function pathsOf(path: string, mountInfo: string): readonly string[] {
  const mounts = mountInfo.split("\n").flatMap(parseMount);
  const own = mounts
    .filter(({ at }) => isWithin(path, at))
    .toSorted((one, other) => one.at.length - other.at.length)
    .at(-1);
  if (own === undefined) return [path];
  const inDevice = join(own.root, path.slice(own.at.length));
  const others = mounts
    .filter(({ device }) => device === own.device)
    .flatMap(({ root, at }) => {
      if (isWithin(inDevice, root)) return [join(at, inDevice.slice(root.length))];
      return isWithin(root, inDevice) ? [at] : [];
    });
  return [...new Set([path, ...others])];
}

function parseMount(line: string): readonly Mount[] {
  const [, , device, root, at] = line.split(" ");
  if (device === undefined || root === undefined || at === undefined) return [];
  return [{ device, root: unescape(root), at: unescape(at) }];
}

/** Decodes the octal escapes of white space and backslashes. */
function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}
