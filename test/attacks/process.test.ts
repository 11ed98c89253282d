import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { attack } from "./attack.ts";
import { toolCalls } from "./tool-calls.ts";

const tools = "[tools]\nworkspace = true\n";
const free = "[tools]\nconfine = false\nworkspace = true\n";

attack("process-shell-token", {
  async attempt({ command, folder, isControl }) {
    const script =
      'cat ../data/token > seen; tr "\\0" "\\n" < /proc/$PPID/environ | grep -c HOST_KEY >> seen; wc -c < seen';
    const env = { HOST_KEY: "sk-1" };
    await toolCalls([{ name: "shell", input: { command: script } }], {
      command,
      folder,
      env,
      config: isControl ? free : tools,
    });
    const seen = await Bun.file(join(folder, "work/seen")).text();
    return [seen.includes(await tokenOf(folder)), /^1$/m.test(seen)];
  },
  held: [false, false],
  bites: [true, true],
});

attack("process-server-token", {
  async attempt({ command, folder, isControl }) {
    const server = `[mcp.servers.files]\ncommand = "sh"\nargs = ["-c", "cat ${folder}/data/token > ${folder}/work/seen"]\n`;
    const config = `${isControl ? free : tools}${server}`;
    await toolCalls([], { command, folder, config });
    const seen = await Bun.file(join(folder, "work/seen")).text();
    return seen.includes(await tokenOf(folder));
  },
  held: false,
  bites: true,
});

attack("process-shell-leaves", {
  async attempt({ command, folder, isControl }) {
    const start = 'setsid sh -c "echo \\$\\$ > part; mv part pid; exec sleep 1000" > /dev/null 2>&1 &';
    // The control checks during the call.
    const script = `${start}\nuntil [ -e pid ]; do sleep 0.01; done${isControl ? '; kill -0 "$(cat pid)" && touch runs' : ""}`;
    await toolCalls([{ name: "shell", input: { command: script } }], { command, folder });
    if (isControl) return Bun.file(join(folder, "work/runs")).exists();
    const pid = Number(await Bun.file(join(folder, "work/pid")).text());
    return Bun.file(`/proc/${pid}/stat`).exists();
  },
  held: false,
  bites: true,
});

attack("process-server-host-killed", {
  async attempt({ command, folder, isControl }) {
    const config = join(folder, "host.toml");
    const pidFile = join(folder, "work/pid");
    await mkdir(join(folder, "work")); // Programs cannot create files in the parent of the data folder.
    // Stays silent, since an invalid response would end it before the host does.
    const started = `setsid sh -c 'echo $$ > ${pidFile}.part; mv ${pidFile}.part ${pidFile}; exec sleep 1000' & cat > /dev/null`;
    const args = JSON.stringify(["-c", started]);
    await Bun.write(config, `[mcp.servers.files]\ncommand = "sh"\nargs = ${args}\n`);
    await using host = await HostProcess.start({ data: join(folder, "data"), config, cwd: folder, command });
    const { id } = await host.createConversation();
    await host.json(`/conversations/${id}/turns`, { body: { input: "go" }, headers: { prefer: "respond-async" } });
    while (!(await Bun.file(pidFile).exists())) await host.json("/models");
    const pid = Number(await Bun.file(pidFile).text());
    const runs = (): Promise<boolean> => Bun.file(`/proc/${pid}/stat`).exists();
    if (isControl) return await runs();
    await host.kill("SIGKILL");
    // Waits for its end without using CPU time; zombies count as ended.
    const look =
      'while state=$(cut -d " " -f 3 "/proc/$0/stat" 2> /dev/null) && [ "$state" != Z ]; do sleep 0.05; done';
    const watch = ["sh", "-c", look, String(pid)];
    const ended = await Bun.spawn(watch, { timeout: 120_000 }).exited;
    return ended !== 0;
  },
  held: false,
  bites: true,
});

attack("process-variables-of-host", {
  async attempt({ command, folder, isControl }) {
    const config = join(folder, "host.toml");
    const env = { HOST_KEY: "sk-of-this-host" };
    await Bun.write(config, `[providers.other]\nkind = "openai"\napi_key_env = "HOST_KEY"\n`);
    await using host = await HostProcess.start({ data: join(folder, "data"), config, cwd: folder, command, env });
    const other = Bun.spawn(["sleep", "1000"], { env });
    const pid = isControl ? other.pid : host.pid;
    let isShown = true;
    for (let look = 0; isShown && look < 20; look += 1) {
      await host.json("/models"); // The host is ready before it hides its environment.
      isShown = Bun.spawnSync(["cat", `/proc/${pid}/environ`]).stdout.includes(env.HOST_KEY);
    }
    other.kill("SIGKILL");
    return isShown;
  },
  held: false,
  bites: true,
});

attack("process-tool-writes-unasked", {
  async attempt({ command, folder, isControl }) {
    const files = [".git/hooks/pre-commit", ".env", "incipit.toml", ".VSCode/tasks.json", "AGENTS.md"];
    const calls = ["a.txt", ...files].map((path) => ({
      name: "write_file",
      input: { path: isControl ? `${path.replaceAll(".", "_")}.txt` : path, content: "x" },
    }));
    const { asked } = await toolCalls(calls, { command, folder, answer: "allow-always" });
    return asked.length;
  },
  held: 6,
  bites: 1,
});

async function tokenOf(folder: string): Promise<string> {
  return (await Bun.file(join(folder, "data/token")).text()).trim();
}
