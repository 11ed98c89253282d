const isWindows = process.platform === "win32";

function word(path: string): string {
  if (/^[\w./:@%+=,-]+$/.test(path) && !path.startsWith("-")) return path;
  return isWindows ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** For this machine's shell: PowerShell on Windows. */
export const commandText = {
  word,
  removeFolder: (path: string): string =>
    isWindows ? `Remove-Item -Recurse -LiteralPath ${word(path)}` : `rm -r ${word(path)}`,
  endProcess: (pid: number): string => (isWindows ? `Stop-Process ${pid}` : `kill ${pid}`),
  removeFile: (path: string): string => (isWindows ? `Remove-Item -LiteralPath ${word(path)}` : `rm ${word(path)}`),
};
