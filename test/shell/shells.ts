export const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

export const isCi = process.env["CI"] === "true";

export function isTested(shell: Shell): boolean {
  if (isCi || Bun.which(shell) !== null) return true;
  process.stderr.write(`${shell} is not installed: its completions are not tested (apt-get install ${shell})\n`);
  return false;
}
