import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { addRemover, changesOf, startUndo, edit, remove, restore, turn, write } from "./undo-world.ts";

test.skipIf(process.platform === "win32")(
  "a recreated file gets its old mode, and an existing one keeps its current mode",
  async () => {
    await using undo = await startUndo();
    const { world, host, id, cwd } = undo;
    const modes = {
      "gone.sh": 0o750,
      "secret.txt": 0o600,
      "again.sh": 0o700,
      "edited.sh": 0o644,
      "exact.sh": 0o777,
      "closed.txt": 0o600,
      "same.txt": 0o644,
    };
    for (const [name, mode] of Object.entries(modes)) {
      await world.write(name, "old");
      await chmod(join(cwd, name), mode);
    }
    await addRemover(world, host);
    world.calls(
      remove("gone.sh"),
      remove("secret.txt"),
      remove("again.sh"),
      write("again.sh", "new"),
      edit("edited.sh", "old", "new"),
      remove("exact.sh"),
      remove("closed.txt"),
      write("closed.txt", "new"),
      remove("same.txt"),
      write("same.txt", "new"),
      write("made.sh", "Made"),
    );
    const from = await turn(host, id);
    await chmod(join(cwd, "edited.sh"), 0o755);
    await chmod(join(cwd, "again.sh"), 0o600);
    await chmod(join(cwd, "closed.txt"), 0o640);
    await chmod(join(cwd, "same.txt"), 0o644);
    await chmod(join(cwd, "made.sh"), 0o711);
    const modeOf = async (name: string): Promise<string> =>
      ((await stat(join(cwd, name))).mode & 0o7777).toString(8);

    const listed = await changesOf(host, id, from);
    const { outcomes, restoration } = await restore(host, id, {
      from,
      paths: listed.files.map(({ path }) => path),
    });
    const back = await Promise.all(Object.keys(modes).map(modeOf));
    await chmod(join(cwd, "same.txt"), 0o600);
    const forth = await host.client.call(routes.listFileChanges, { params: { id }, query: { restoration } });
    await restore(host, id, { restoration, paths: forth.files.map(({ path }) => path) });

    expect(outcomes).toMatchObject({ "gone.sh": "created", "again.sh": "written", "made.sh": "removed" });
    expect(back).toEqual(["750", "600", "700", "755", "777", "600", "644"]);
    expect(await modeOf("made.sh")).toBe("711");
    expect(await modeOf("edited.sh")).toBe("755");
    expect(await Promise.all(["again.sh", "closed.txt", "same.txt"].map(modeOf))).toEqual(["600", "640", "600"]);
    expect(await world.has("gone.sh")).toBe(false);
  },
);
