import { absoluteFolders } from "@incipit/common/system";
import { maxImageBytes } from "./attachments.ts";
import type { FoundImage } from "./dropped-image.ts";

interface Way {
  readonly command: readonly [string, ...string[]];
  /** Raw bytes if absent. */
  readonly isBase64?: true;
}

const timeoutMs = 5_000;
const powershell =
  "$p = Get-Clipboard -Format Image; if ($p) { $s = New-Object IO.MemoryStream; $p.Save($s, [Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($s.ToArray()) }";
const windows: Way = { command: ["powershell.exe", "-NoProfile", "-Command", powershell], isBase64: true };

/** Returns programs that print the clipboard's image as PNG. */
function ways(env: Readonly<Record<string, string | undefined>>): readonly Way[] {
  if (process.platform === "darwin") return [{ command: ["pngpaste", "-"] }];
  if (process.platform === "win32") return [windows];
  return [
    ...(env["WAYLAND_DISPLAY"] ? [{ command: ["wl-paste", "--no-newline", "--type", "image/png"] } as const] : []),
    ...(env["DISPLAY"]
      ? [{ command: ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"] } as const]
      : []),
    ...(env["WSL_DISTRO_NAME"] ? [windows] : []),
  ];
}

/** @throws {Error} that names the clipboard's content, or the missing program. */
export async function clipboardImage(env: Readonly<Record<string, string | undefined>>): Promise<FoundImage> {
  const PATH = absoluteFolders(env["PATH"]);
  const known = ways(env);
  const there = known.filter(({ command: [name] }) => Bun.which(name, { PATH }) !== null);
  if (there.length === 0) throw new Error(missingText(known.map(({ command: [name] }) => name)));
  for (const way of there) {
    const bytes = await outputOf(way, { ...env, PATH });
    if (bytes.byteLength > maxImageBytes)
      throw new Error(
        "The image in the clipboard has more than 5.75 MiB; make it smaller, or attach a file with @",
      );
    if (isPng(bytes)) return { name: "clipboard.png", mediaType: "image/png", bytes };
  }
  throw new Error("The clipboard has no image; to paste text, use your terminal's key, often Ctrl-Shift-V");
}

async function outputOf({ command, isBase64 }: Way, env: Record<string, string | undefined>): Promise<Uint8Array> {
  await using child = Bun.spawn([...command], {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of child.stdout) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > 2 * maxImageBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  return isBase64 === true ? Buffer.from(bytes.toString("latin1").trim(), "base64") : bytes;
}

function isPng(bytes: Uint8Array): boolean {
  return bytes.byteLength > 8 && bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47;
}

function missingText(names: readonly string[]): string {
  const way = names.length === 0 ? "no desktop session, for example over SSH" : `install ${names.join(" or ")}`;
  return `The clipboard cannot be read: ${way}. Drop an image file on the terminal, or name it with @`;
}
