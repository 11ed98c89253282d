import { lintCodeSchema, lintTemplateResponseSchema, previewSystemPromptResponseSchema } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { errorResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { incipit } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";

test("POST /system-prompt/lint checks the stored or a given template in a folder", async () => {
  const config =
    'prompt_refresh = "turn"\n[profiles.reviewer]\nmodel = "offline/other"\nsystem_prompt = "Review.[endif]"';
  await using world = await HostWorld.create({ model: "offline/echo", config });
  await Bun.write(join(world.cwd, "sub/there.md"), "text");
  const host = await world.start();
  const lint = async (body: unknown): Promise<readonly (readonly [string, string])[]> => {
    const answer = lintTemplateResponseSchema.parse(
      await host.json("/system-prompt/lint", { method: "POST", body }),
    );
    return answer.findings.map(({ code, severity }) => [code, severity] as const);
  };
  const asked = { template: "[file:there.md] [system:time] [file:/etc/hostname]" };

  expect(await lint({})).toEqual([]);
  expect(await lint({ profile: "reviewer" })).toEqual([["stray-endif", "error"]]);
  expect(await lint(asked)).toEqual([
    ["absent-file", "warning"],
    ["volatile", "warning"],
    ["denied-file", "warning"],
  ]);
  expect(await lint({ ...asked, cwd: join(world.cwd, "sub") })).toEqual([
    ["untrusted-text", "info"],
    ["volatile", "warning"],
    ["denied-file", "warning"],
  ]);
  const tooLarge = await host.fetch("/system-prompt/lint", { body: { template: "x".repeat(1_048_577) } });
  expect(errorResponseSchema.parse(await tooLarge.json()).error.code).toBe("TEMPLATE_TOO_LARGE");
  expect((await host.fetch("/system-prompt/lint", { body: { template: 7 } })).status).toBe(400);
  // lint and preview use the prompt of a conversation with that profile.
  const preview = previewSystemPromptResponseSchema.parse(
    await host.json("/system-prompt/preview", { body: { profile: "reviewer" } }),
  );
  expect(preview.systemPrompt).toBe("Review.[endif]");
  expect(await host.json("/system-prompt")).toMatchObject({ source: "default" });
});

test("POST /system-prompt/preview uses the profile's model", async () => {
  const config = 'system_prompt = "[prompt:model]"\n[profiles.p]\nmodel = "offline/other"';
  await using world = await HostWorld.create({ model: "offline/echo", config });
  const host = await world.start();

  const preview = previewSystemPromptResponseSchema.parse(
    await host.json("/system-prompt/preview", { body: { profile: "p" } }),
  );

  expect(preview.systemPrompt).toBe("offline/other");
});

test("the guide documents each lint code and the command's output", async () => {
  await using folder = await createTempFolder();
  const guide = await Bun.file(join(import.meta.dir, "../../docs/guide/templates.md")).text();
  const [, shown = ""] = /^\$ incipit prompt lint prompt\.md\n([^]*?)^```$/m.exec(guide) ?? [];
  await Bun.write(join(folder.path, "prompt.md"), "One\n  [sytem:time]\n");

  const { stdout, stderr } = await incipit(["prompt", "lint", "prompt.md"], {
    cwd: folder.path,
    home: folder.path,
  });

  expect(`${stdout}${stderr}`).toBe(shown);
  const named = new Set<string>();
  for (const [, codes = ""] of guide.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \| /gm))
    for (const code of codes.split(", ")) named.add(code.slice(1, -1));
  expect(lintCodeSchema.options.filter((code) => !named.has(code))).toEqual([]);
});
