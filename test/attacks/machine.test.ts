import { Database } from "bun:sqlite";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, incipit } from "../support/host-process.ts";
import { ownPort } from "../support/own-port.ts";
import { attack } from "./attack.ts";

function listener(hostname: string, port: number): { readonly heard: string[] } & Disposable {
  const heard: string[] = [];
  const server = Bun.serve({
    hostname,
    port,
    fetch: ({ headers }) => {
      heard.push(headers.get("authorization") ?? "");
      return Response.json({ status: "ok", version: "0.1.0", problems: [] });
    },
  });
  return { heard, [Symbol.dispose]: () => void server.stop(true) };
}

attack("machine-port-of-ended-host", {
  async attempt({ isControl, command, folder }) {
    const [data, config] = [join(folder, "data"), join(folder, "host.toml")];
    await Bun.write(config, "");
    const port = await ownPort();
    await using host = await HostProcess.start({ data, config, cwd: folder, command, port });
    const chat = Bun.spawn([...command, "chat", "--data", data, "--config", config], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "pipe",
    });
    await chat.stderr.getReader().read();
    await host.kill("SIGKILL");
    using lock = new Database(join(data, "host.lock"));
    if (isControl) {
      lock.run("PRAGMA locking_mode = EXCLUSIVE");
      lock.run("BEGIN EXCLUSIVE"); // Acts as the user's next host.
    }
    using other = listener("127.0.0.1", port);
    await chat.stdin.write("a secret plan\n");
    await chat.stdin.end();
    await chat.exited;
    return other.heard.includes(`Bearer ${host.token}`);
  },
  held: false,
  bites: true,
});

attack("machine-port-of-localhost", {
  async attempt({ isControl, command, folder }) {
    const [data, config] = [join(folder, "data"), join(folder, "host.toml")];
    await Bun.write(config, '[listen]\nhost = "localhost"\n');
    const port = await ownPort();
    await using host = await HostProcess.start({ data, config, cwd: folder, command, port });
    using other = listener("::1", port);
    const headers = { authorization: `Bearer ${host.token}` };
    if (isControl) await fetch(`http://localhost:${port}/health`, { headers });
    else await incipit(["models", "--data", data, "--config", config], { cwd: folder, home: folder, command });
    return other.heard.length;
  },
  held: 0,
  bites: 1,
});

attack("machine-data-folder-of-all", {
  async attempt({ isControl, command, folder }) {
    const data = join(folder, "data");
    const run = (...words: readonly string[]): ReturnType<typeof incipit> =>
      incipit([...words, "--data", data], { cwd: folder, home: folder, command });
    await run("extensions", "new", "weather");
    await run("extensions", "add", "weather", "--yes");
    await chmod(data, isControl ? 0o700 : 0o777);
    const { stdout, stderr } = await run("extensions");
    return [stdout.includes("weather"), stderr.includes("every user of this machine may write in it")];
  },
  held: [false, true],
  bites: [true, false],
});
