import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createManagerWorld, writeExtension } from "./manager-world.ts";

test("[attack:extension-leaves-running] an awaited program and a port end with their extension", async () => {
  await using world = await createManagerWorld({ PATH: process.env["PATH"] ?? "" });
  const { client, path } = world;
  const grant = { spawn: ["sh"], listen: true as const };
  const script = `echo $$ > ${path}/part; mv ${path}/part ${path}/pid; exec sleep 1000`;
  await writeExtension(path, {
    manifest: { capabilities: grant },
    activate: `void host.spawn.run("sh", ["-c", ${JSON.stringify(script)}], { cwd: "/", maxOutputBytes: 10, timeoutMs: 1e9 });
    const { port } = await host.listen.http({
      host: "127.0.0.1", port: 0, idleTimeoutSeconds: 10, maxBodyBytes: 10, fetch: () => new Response("there"),
    });
    host.log.info("listens", { port })`,
  });
  await client.call(routes.addExtension, { body: { path, grant } });
  const listens = world.logs.find((line) => line.includes("listens")) ?? "";
  const url = `http://127.0.0.1:${/"port":(\d+)/.exec(listens)?.[1]}`;
  const seen = async (): Promise<unknown> => ({
    answers: await fetch(url).then(
      (response) => response.text(),
      () => "nobody",
    ),
    runs: await Bun.file(`/proc/${(await Bun.file(join(path, "pid")).text()).trim()}/stat`).exists(),
  });
  while (!(await Bun.file(join(path, "pid")).exists())) await Bun.sleep(5);

  expect(await seen()).toEqual({ answers: "there", runs: true });
  await client.call(routes.removeExtension, { params: { id: "acme.sample" } });
  expect(await seen()).toEqual({ answers: "nobody", runs: false });
});
