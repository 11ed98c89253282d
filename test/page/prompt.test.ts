import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { systemTexts } from "../support/request-body.ts";
import { test } from "./page-test.ts";
import type { PageWorld } from "./page-world.ts";
import { longestWaitMs } from "./until.ts";

async function openPrompt(world: PageWorld, page: Page): Promise<Locator> {
  await page.goto(`${world.host.url}/#/prompt`);
  return editorOf(page);
}

async function editorOf(page: Page): Promise<Locator> {
  const editor = page.getByRole("textbox", { name: "Template of the system prompt" });
  await editor.waitFor();
  return editor;
}

async function write(page: Page, text: string): Promise<void> {
  await (await editorOf(page)).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function paste(page: Page, text: string): Promise<void> {
  await (await editorOf(page)).click();
  await page.keyboard.press("Control+a");
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const editor = document.querySelector(".editor").shadowRoot.querySelector("[role=textbox]");
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }`);
}

function previewOf(page: Page): Locator {
  return page.locator(".parts");
}

async function previewIs(page: Page, text: string): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  let shown: unknown;
  do shown = await page.evaluate(`new Promise(requestAnimationFrame).then(() => ${shownText})`);
  while (shown !== text && performance.now() < deadline);
  expect(shown).toBe(text);
}

const shownText = "document.querySelector('.parts')?.textContent";

test("[page-prompt] buttons insert variables and conditions, and the preview follows", async (hosts) => {
  const world = await hosts.start();
  const { cwd } = await folderOf(world);
  const page = await world.signIn();
  await openPrompt(world, page);
  await write(page, "In ");
  await page.getByRole("button", { name: /^prompt:cwd/ }).click();
  await previewIs(page, `In ${cwd}`);
  await page.keyboard.insertText(". ");
  await page.getByLabel("Depends on").selectOption("git:branch");
  await page.getByRole("button", { name: "[if] has a value" }).click();
  await page.keyboard.insertText("Branch");
  await page.getByRole("button", { name: "[else] otherwise" }).click();
  await page.keyboard.insertText("No git");
  await previewIs(page, `In ${cwd}. No git`);
  await page.keyboard.press("Control+End");
  await page.getByRole("button", { name: "[else] otherwise" }).click();
  await page.getByText("[else] belongs between").waitFor();
  await page.getByLabel("Path of a file").fill("notes.md");
  await Bun.write(`${cwd}/notes.md`, "Be kind.");
  await page.getByRole("button", { name: "Insert the file" }).click();
  await previewIs(page, `In ${cwd}. No gitBe kind.`);
  await page.keyboard.press("Control+a");
  await page.getByRole("button", { name: "[if !] has no value" }).click();
  await page.getByText("Inserted [if !git:branch]…[endif]").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved as version 1").waitFor();

  expect((await world.client.call(routes.getSystemPrompt)).template).toBe(
    "[if !git:branch]In [prompt:cwd]. [if git:branch]Branch[else]No git[endif][file:notes.md][endif]",
  );
});

test("[page-prompt] omitted context files are listed at their variable and as findings", async (hosts) => {
  const world = await hosts.start();
  const { cwd } = await folderOf(world);
  await Bun.write(`${cwd}/CLAUDE.md`, "Use @docs/gone.md");
  await Bun.write(`${cwd}/docs/there.md`, "");
  const page = await world.signIn();
  await openPrompt(world, page);

  await write(page, "[rules:claude]");

  const why = `${cwd}/docs/gone.md: "${cwd}/CLAUDE.md" imports it, but it does not exist`;
  await page.locator(".variables").getByText(`Omitted: ${why}`).waitFor({ state: "attached" });
  await page.locator(".findings").getByText("docs/gone.md").waitFor({ state: "attached" });
});

test("[page-prompt] a file is chosen from the allowed folders by keyboard", async (hosts) => {
  const world = await hosts.start();
  const { cwd } = await folderOf(world);
  await Bun.write(`${cwd}/docs/deep/style.md`, "Write well.");
  await Bun.write(`${cwd}/docs/a[b].md`, "A template cannot name it.");
  const page = await world.signIn();
  await openPrompt(world, page);
  await write(page, "Style: ");
  const press = async (name: string | RegExp): Promise<void> => {
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  await press("Choose a file…");
  const dialog = page.getByRole("dialog", { name: "Choose a file" });
  await dialog.getByText(cwd, { exact: true }).waitFor();
  const canLeave = await dialog.getByRole("button", { name: "Parent folder" }).count();
  await press("docs/");
  const unusable = await dialog.getByRole("button", { name: /^a\[b\].md/ }).isDisabled();
  await press("deep/");
  await press("Parent folder");
  await dialog.getByText("docs", { exact: true }).waitFor();
  await page.keyboard.insertText("dee"); // The name field has the focus after each step.
  await dialog.getByRole("button", { name: /^a\[b\].md/ }).waitFor({ state: "detached" });
  await press("deep/");
  await press(/^style.md 11 bytes/);
  await dialog.waitFor({ state: "detached" });
  const chosen = await page.getByLabel("Path of a file").inputValue();
  await previewIs(page, "Style: Write well.");

  expect([canLeave, unusable, chosen]).toEqual([0, true, "docs/deep/style.md"]);
});

test("[page-prompt] the preview equals the prompt of the next new conversation", async (hosts) => {
  const world = await hosts.start({ top: 'append_system_prompt = "Say “ja”, 和 🙂."\n' });
  const { cwd } = await folderOf(world);
  await Bun.write(`${cwd}/AGENTS.md`, "<b>Rules</b>\n\tTabs, ünïcödé, 🙂\n\n");
  const page = await world.signIn();
  await openPrompt(world, page);
  const template =
    "A [system:os]\n\n[if file:AGENTS.md]\n[file:AGENTS.md]\n[endif]\\[system:os] in [prompt:cwd]  \n";
  await write(page, template);
  await previewOf(page).getByText("[system:os] in").waitFor();
  const shown = await page.evaluate(shownText);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Start a conversation" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();

  expect(world.model.requests.map(({ body }) => systemTexts(body))).toEqual([[String(shown)]]);
  expect(shown).toContain("\n\tTabs");
});

test("[page-prompt] trying a template starts a conversation in the previewed folder", async (hosts) => {
  const world = await hosts.start();
  const { cwd } = await folderOf(world);
  const project = `${cwd}/my project`;
  await Bun.write(`${project}/STYLE.md`, "Write well.");
  const page = await world.signIn();
  await openPrompt(world, page);
  await page.getByLabel("Working folder").fill(project);
  await write(page, "[if file:STYLE.md]Style: [file:STYLE.md][endif]");
  await previewIs(page, "Style: Write well.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Start a conversation" }).click();
  const chosen = await page.getByLabel("Working folder").inputValue();
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await page.getByRole("link", { name: "New conversation" }).click();
  await page.getByRole("heading", { name: "New conversation" }).waitFor();
  const next = await page.getByLabel("Working folder").inputValue();

  expect([chosen, next]).toEqual([project, ""]);
  expect(world.model.requests.map(({ body }) => systemTexts(body))).toEqual([["Style: Write well."]]);
});

test("[page-prompt] each part shows its source and links to its place in the template", async (hosts) => {
  const { world, page } = await hosts.open({ top: '[profiles.reviewer]\nsystem_prompt = "You review."\n' });
  await openPrompt(world, page);
  await write(page, "First.\n[if system:os][system:os][endif]");
  await previewOf(page).getByText("First.").waitFor();
  await page.locator('.parts [data-origin="variable"]').focus();
  const details = page.locator(".details");
  await details.getByText("because “if system:os” is true").waitFor();
  await page.keyboard.press("Enter");
  const selected = await page.evaluate("document.querySelector('.editor').shadowRoot.getSelection().toString()");
  await page.getByLabel("Profile").selectOption("reviewer");
  await page.getByText('The text in the editor is not used here: profile "reviewer" takes precedence.').waitFor();
  await previewIs(page, "You review.");

  expect(selected).toBe("[system:os]");
  expect(await page.locator(".tiers [data-state=won]").textContent()).toContain('profile "reviewer"');
});

test("[page-prompt] only a text that another one overrides is shown as unused, not the built-in default", async (hosts) => {
  const { world, page } = await hosts.open();
  await openPrompt(world, page);
  await previewOf(page).getByText("You are a helpful coding assistant.").waitFor();

  expect(await page.getByText("The text in the editor is not used here").count()).toBe(0);
});

test("[page-prompt] a late preview response does not replace a newer one", async (hosts) => {
  const { world, page } = await hosts.open();
  await openPrompt(world, page);
  const late = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route("**/system-prompt/preview", async (route) => {
    if (route.request().postData()?.includes("first") === true) {
      asked.resolve();
      await late.promise;
    }
    // The page has cancelled the late request.
    await route.continue().catch(() => undefined);
  });
  await write(page, "The first text");
  await asked.promise;
  await write(page, "The second text");
  await previewIs(page, "The second text");
  late.resolve();
  await write(page, "The third text");
  await previewIs(page, "The third text");
});

test("[page-prompt] findings are marked in the text and fixed by their buttons", async (hosts) => {
  const { world, page } = await hosts.open();
  const editor = await openPrompt(world, page);
  await write(page, "On [sytem:os]");
  await page.getByText('"sytem:os" is always blank').waitFor();
  await editor.locator(".cm-lintRange-error").first().waitFor();
  const marked = await editor.locator(".cm-lintRange-error").allTextContents();
  await page.getByRole("button", { name: "Write [system:os]" }).click();
  await page.getByText("No findings.").waitFor();

  expect(marked).toEqual(["[sytem:os]"]);
  expect(await editor.textContent()).toBe("On [system:os]");
});

test("[page-prompt-kept] conflicting edits in two tabs keep both texts", async (hosts) => {
  const world = await hosts.start();
  const one = await world.signIn();
  await openPrompt(world, one);
  const two = await world.newTab();
  await openPrompt(world, two);
  await write(one, "Text of one");
  await write(two, "Text of two");
  await one.keyboard.press("Control+s");
  await one.getByText("Saved as version 1").waitFor();
  await two.keyboard.press("Control+s");
  const conflict = two.getByRole("region", { name: "The template was changed elsewhere" });
  await conflict.waitFor();
  const both = [await conflict.locator("pre").textContent(), await (await editorOf(two)).textContent()];
  await conflict.getByRole("button", { name: "Use the stored version, keep mine as unsaved work" }).click();
  const kept = two.getByRole("region", { name: "Unsaved work" });
  await kept.getByText("Text of two").waitFor();
  await previewIs(two, "Text of one");
  const taken = await (await editorOf(two)).textContent();
  await kept.getByRole("button", { name: "Open" }).click();
  await previewIs(two, "Text of two");
  await write(one, "One again");
  await one.keyboard.press("Control+s");
  await one.getByText("Saved as version 2").waitFor();
  await two.getByRole("button", { name: "Save" }).click();
  await conflict.getByRole("button", { name: "Overwrite with mine" }).click();
  await two.getByText("Saved as version 3").waitFor();

  expect(both).toEqual(["Text of one", "Text of two"]);
  expect(taken).toBe("Text of one");
  expect((await world.client.call(routes.getSystemPrompt)).template).toBe("Text of two");
  expect(world.complaints.filter((complaint) => !complaint.includes("409"))).toEqual([]);
});

test("[page-prompt-kept] unsaved work survives a reload, and moves to another tab when closed", async (hosts) => {
  const { world, page } = await hosts.open();
  await openPrompt(world, page);
  await write(page, "Not stored yet");
  // Immediately, so that the last characters count.
  await page.reload();
  await page.getByText("Not saved yet.").waitFor();
  const reloaded = await (await editorOf(page)).textContent();
  await page.getByRole("link", { name: "Conversations" }).click();
  // The new-conversation view also links to it, once its settings have loaded.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "System prompt" }).click();
  const back = await (await editorOf(page)).textContent();
  await page.close();
  const other = await world.newTab();
  await openPrompt(world, other);
  const kept = other.getByRole("region", { name: "Unsaved work" });
  await kept.getByRole("button", { name: "Open" }).click();
  await previewIs(other, "Not stored yet");

  expect([reloaded, back]).toEqual(["Not stored yet", "Not stored yet"]);
  expect((await world.client.call(routes.getSystemPrompt)).source).toBe("default");
});

test("[page-prompt-kept] work of a closed tab appears in the open ones", async (hosts) => {
  const world = await hosts.start();
  const open = await world.signIn();
  const closed = await world.newTab();
  await openPrompt(world, closed);
  await write(closed, "Left behind");
  await previewIs(closed, "Left behind");
  await openPrompt(world, open);
  await editorOf(open);
  await closed.close();
  await open.getByRole("region", { name: "Unsaved work" }).getByText("Left behind").waitFor();
});

test("[page-prompt] versions are listed with their changes and can be restored", async (hosts) => {
  const { world, page } = await hosts.open();
  await openPrompt(world, page);
  for (const [index, text] of ["One\nsame", "Two\nsame"].entries()) {
    await write(page, text);
    await page.getByLabel("Why (optional)").fill(`note ${index + 1}`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`Saved as version ${index + 1}`).waitFor();
  }
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.getByText("note 2").waitFor();
  await versions.getByRole("button", { name: "Changes" }).first().click();
  const lines = versions.getByRole("region", { name: "Changes in version 2" }).locator("span");
  await lines.first().waitFor();
  const diff = await lines.allTextContents();
  await versions.getByRole("button", { name: "Restore Version 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("Version 1 is restored, as version 3.").waitFor();
  await previewIs(page, "One\nsame");

  expect(diff).toEqual(["@@ -1,2 +1,2 @@\n", "-One\n", "+Two\n", " same\n", "\\ No newline at end of file\n"]);
  expect(await world.client.call(routes.getSystemPrompt)).toMatchObject({ template: "One\nsame", version: 3 });
});

test("[page-prompt] a prompt is written, completed, previewed and saved by keyboard", async (hosts) => {
  const { world, page } = await hosts.open();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = (): Promise<unknown> => page.evaluate(focusedName);
  const tabTo = async (name: RegExp): Promise<void> => {
    const passed: string[] = [];
    while (!name.test(String(passed.at(-1))) && passed.length < 80) {
      await press("Tab");
      passed.push(String(await focused()));
    }
    expect(passed.at(-1)).toMatch(name);
  };
  await tabTo(/^System prompt$/);
  await press("Enter");
  await editorOf(page);
  await tabTo(/^Template of the system prompt$/);
  await press("Control+a", "Delete");
  await page.keyboard.type("On [system:o");
  await page.getByRole("option", { name: /^system:os ?Operating system/ }).waitFor();
  await press("Enter");
  await page.getByText("No findings.").waitFor();
  await press("Control+s");
  await page.getByText("Saved as version 1").waitFor();
  await tabTo(/^On $/);
  await press("ArrowRight");
  await page.locator(".details").getByText("[system:os]").waitFor();
  await press("Enter");

  expect((await world.client.call(routes.getSystemPrompt)).template).toBe("On [system:os]");
  expect(await focused()).toBe("Template of the system prompt");
});

test("[page-harmless] a template of a megabyte with HTML is text, and the page stays responsive", async (hosts) => {
  const world = await hosts.start();
  const { cwd } = await folderOf(world);
  const evil =
    '<script>window.evil = 1</script><img src="x" onerror="window.evil = 1"><style>*{display:none}</style>';
  await Bun.write(`${cwd}/evil.md`, evil);
  const page = await world.signIn();
  await openPrompt(world, page);
  await write(page, `${evil}[file:evil.md]`);
  await previewIs(page, `${evil}${evil}`);
  await paste(page, `${evil}${"[system:os] lines of text\n".repeat(40_000)}`);
  await page.getByRole("button", { name: /Show more/ }).waitFor();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("Typed.");
  await previewOf(page).getByText("Typed.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved as version 1").waitFor();

  expect(await page.evaluate("window.evil")).toBeUndefined();
  expect(await page.locator(".parts img, .parts script, .parts style").count()).toBe(0);
});

const focusedName = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.getAttribute("aria-label") ?? element?.textContent;
})()`;

async function folderOf(world: PageWorld): Promise<{ readonly cwd: string }> {
  const { explain } = await world.client.call(routes.previewSystemPrompt, { body: { template: "[prompt:cwd]" } });
  return { cwd: explain.variables[0]?.value ?? "" };
}
