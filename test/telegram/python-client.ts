/**
 * A client of Telegram's that is nobody's of ours: Debian's `python3-python-telegram-bot`. Its 13th version is in Debian 12; later
 * ones are called otherwise, and are not taken.
 */
export const pythonClient = {
  package: "python3-python-telegram-bot",
  /** Debian's own: another one on the path would not see its packages. */
  program: "/usr/bin/python3",
  version: "13.15",
} as const;

/** Why its test cannot run here; `undefined`: it can. */
export function missingClient(): string | undefined {
  const version = installedVersion();
  if (version === pythonClient.version) return undefined;
  return `${pythonClient.package} ${pythonClient.version} is not here (${version ?? "none"})`;
}

/** The version that is here; `undefined`: none. */
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
