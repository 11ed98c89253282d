import { join } from "node:path";
import { HostProcess, incipit } from "../support/host-process.ts";
import { attack } from "./attack.ts";
import { toolCalls } from "./tool-calls.ts";

attack("data-folder-cwd", {
  async attempt({ command, folder, isControl }) {
    const data = join(folder, "data");
    await Bun.write(join(data, "sub/file"), "");
    await Bun.write(join(folder, "other/file"), "");
    const codes: number[] = [];
    for (const cwd of [data, join(data, "sub"), join(folder, "other/../data")]) {
      const meant = isControl ? join(folder, "other") : cwd;
      const args = ["--data", data, "--cwd", meant, "Hello"];
      codes.push((await incipit(args, { cwd: folder, home: folder, command })).exitCode);
    }
    return codes;
  },
  held: [2, 2, 2],
  bites: [0, 0, 0],
});

attack("data-folder-variable", {
  async attempt({ command, folder, isControl }) {
    const [data, config] = [join(folder, "data"), join(folder, "host.toml")];
    await Bun.write(config, `[prompt]\nread = ["/"]\n`);
    await using host = await HostProcess.start({ data, config, cwd: folder, command });
    const path = join(folder, isControl ? "copy" : "data/token");
    await Bun.write(join(folder, "copy"), host.token);
    const body = { template: `[file:${path}]`, cwd: isControl ? folder : data };
    return JSON.stringify(await host.json("/system-prompt/preview", { body })).includes(host.token);
  },
  held: false,
  bites: true,
});

attack("data-folder-tools-above", {
  async attempt({ command, folder, isControl }) {
    const data = join(folder, isControl ? "elsewhere" : "data");
    await Bun.write(join(folder, "data/notes"), "the-mark");
    const { outputs } = await toolCalls(
      [
        { name: "read_file", input: { path: "data/notes" } },
        { name: "search", input: { pattern: "the-mark" } },
        { name: "list_folder", input: { path: "data" } },
        { name: "find_files", input: { pattern: "**/no*", withHidden: true, withIgnored: true } },
        { name: "write_file", input: { path: "data/extensions.json", content: "{}" } },
      ],
      { command, folder, data, cwd: folder },
    );
    return [
      outputs.includes("the-mark\\n") || outputs.split("the-mark").length > 2,
      outputs.includes("notes ("),
      /"content":"(?:[^"]*\\n)?data\/notes/.test(outputs),
      outputs.includes("Wrote 2 bytes"),
    ];
  },
  held: [false, false, false, false],
  bites: [true, true, true, true],
});
