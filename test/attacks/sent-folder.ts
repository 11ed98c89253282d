import { join } from "node:path";
import * as z from "zod";
import { incipit, type CommandResult } from "../support/host-process.ts";

const examinedSchema = z.object({ folder: z.object({ sha256: z.string() }) });

interface SentFolder {
  run(question: string, env?: Readonly<Record<string, string>>, flags?: readonly string[]): Promise<CommandResult>;
  trust(...args: readonly string[]): Promise<CommandResult>;
  sha256(): Promise<string>;
  served(): Promise<string>;
  write(name: string, text: string): Promise<void>;
  has(name: string): Promise<boolean>;
}

interface SentFolderWorld {
  readonly isControl: boolean;
  readonly command: readonly string[];
  readonly folder: string;
}

export async function sentFolder(
  { isControl, command, folder: home }: SentFolderWorld,
  toml: string,
  files: Readonly<Record<string, string>> = {},
): Promise<SentFolder> {
  const cwd = join(home, "sent");
  await Bun.write(join(cwd, "incipit.toml"), toml);
  for (const [name, text] of Object.entries(files))
    await Bun.write(join(name.startsWith(".config/") || name === "secret.txt" ? home : cwd, name), text);
  const options = { cwd, home, command };
  const trust: SentFolder["trust"] = (...args) => incipit(["trust", ...args, "--json"], options);
  const sha256 = async (): Promise<string> =>
    examinedSchema.parse(JSON.parse((await trust()).stdout)).folder.sha256;
  if (isControl) {
    const { exitCode, stderr } = await trust("add", "--sha256", await sha256());
    if (exitCode !== 0) throw new Error(`The folder could not be trusted: ${stderr}`);
  }
  return {
    run: (question, env = {}, flags = []) => incipit([question, ...flags], { ...options, env }),
    trust,
    sha256,
    async served() {
      const child = Bun.spawn([...command, "serve", "--port", "0", "--json"], {
        cwd,
        env: { PATH: process.env["PATH"] ?? "", HOME: home },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
      });
      const { value } = await child.stdout.getReader().read();
      child.kill("SIGKILL");
      await child.exited;
      return new TextDecoder().decode(value);
    },
    write: async (name, text) => void (await Bun.write(join(cwd, name), text)),
    has: (name) => Bun.file(join(cwd, name)).exists(),
  };
}
