import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import { systemTexts } from "../support/request-body.ts";
import { testBrowser } from "./browser.ts";
import { test } from "./page-test.ts";
import { longestWaitMs } from "./until.ts";

test("[page-conversation] a new conversation uses the chosen folder and profile", async (hosts) => {
  const { world, page } = await hosts.open({
    top: '[profiles.reviewer]\nmodel = "local/review"\nsystem_prompt = "You review [prompt:cwd]."\n',
  });
  const message = page.getByRole("textbox", { name: "Message" });
  const prompt = page.locator(".which-prompt");
  await prompt.filter({ hasText: "System prompt from" }).waitFor();
  await page.getByLabel("Profile").selectOption("reviewer");
  await page.getByRole("option", { name: "local/review (from the profile)" }).waitFor({ state: "attached" });
  await prompt.filter({ hasText: "You review [prompt:cwd]." }).waitFor();
  await page.getByLabel("Working folder").fill("project");
  await message.fill("Look at it");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("not absolute").waitFor();
  const kept = await message.inputValue();
  await Bun.write(join(world.folder, "project/x"), "");
  await page.getByLabel("Working folder").fill(join(world.folder, "project"));
  await message.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await page.getByRole("link", { name: "New conversation" }).click();
  await page.locator(`datalist option[value="${join(world.folder, "project")}"]`).waitFor({ state: "attached" });
  await page.goBack();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  const { conversations } = await world.client.call(routes.listConversations);
  const [{ cwd } = { cwd: "" }] = conversations;

  expect(kept).toBe("Look at it");
  expect(conversations).toMatchObject([{ profile: "reviewer", model: "local/review" }]);
  expect(cwd).toEndWith("/project");
  expect(world.model.requests.map(({ body }) => systemTexts(body))).toEqual([[`You review ${cwd}.`]]);
});

test("[page-conversation] without another model the page explains the built-in one and how to add more", async () => {
  await using folder = await createTempFolder();
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await Bun.write(options.config, "");
  await using host = await HostProcess.start(options);
  const context = await (await testBrowser()).newContext();
  context.setDefaultTimeout(longestWaitMs);
  const page = await context.newPage();
  await page.goto(host.page);
  await page.getByText("The built-in model only repeats its input.").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.keyboard.press("Enter");
  await page.getByText("I am the offline model").waitFor();
  await page.getByRole("link", { name: "New conversation" }).click();
  await page.getByRole("link", { name: "Add a vendor's model" }).click();
  const models = page.getByRole("region", { name: "Models", exact: true });
  const example = (await models.locator("pre").textContent()) ?? "";
  const says = await models.textContent();
  await context.close();
  await Bun.write(options.config, example);
  await using again = await HostProcess.start({
    ...options,
    data: join(folder.path, "other data"),
    env: { ANTHROPIC_API_KEY: "sk-ant-made-up-for-this-test" },
  });
  const { models: listed } = await createClient({ url: again.url, token: again.token }).call(routes.listModels);

  expect(new URL(page.url()).hash).toBe("#/host");
  expect(says).toContain("ANTHROPIC_API_KEY");
  expect(listed.find(({ isDefault }) => isDefault)).toMatchObject({ provider: "claude", isReady: true });
});
