/** Debian 12 has version 13; later versions have another API and are not accepted. */
export const pythonClient = {
  package: "python3-python-telegram-bot",
  /** Debian's Python; another on the path would not find its packages. */
  program: "/usr/bin/python3",
  version: "13.15",
} as const;

export function missingClient(): string | undefined {
  const version = installedVersion();
  if (version === pythonClient.version) return undefined;
  return `${pythonClient.package} ${pythonClient.version} is not here (${version ?? "none"})`;
}

export function installedVersion(): string | undefined {
  const { program } = pythonClient;
  if (Bun.which(program) === null) return undefined;
  const script = "import telegram; print(telegram.__version__)";
  const { stdout, success } = Bun.spawnSync([program, "-W", "ignore", "-c", script], {
    stderr: "ignore",
    timeout: 60_000,
  });
  return success ? stdout.toString().trim() : undefined;
}
