import { expect } from "bun:test";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { axeProblems } from "./axe-problems.ts";
import { test } from "./page-test.ts";

const places = formOf(
  "Where are the tides wanted?\nAnd for how long?",
  {
    city: { type: "string", title: "City", description: "By the sea" },
    days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 2 },
    units: { type: "string", title: "Units", enum: ["m", "ft"], enumNames: ["Metres", "Feet"] },
    marks: { type: "array", title: "Marks", items: { type: "string", enum: ["high", "low"] } },
    mail: { type: "boolean", title: "Mail it" },
    password: { type: "string", title: "Password" },
  },
  ["city"],
);

test("[page-conversation] an MCP elicitation is an accessible form with inline errors", async (hosts) => {
  const { world, page } = await hosts.open({ config: askingServer });
  world.model.enqueue(...askingModel(places));
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  const form = page.getByRole("form", { name: 'MCP server "tides" asks you' });
  await form.waitFor();

  const problems = await axeProblems(page);
  const warned = await form.getByText("This looks like a secret").count();
  const isMarked = await form.getByRole("textbox", { name: "Password" }).getAttribute("aria-describedby");
  await form.getByRole("textbox", { name: "Days" }).fill("nine");
  await form.getByRole("button", { name: "Send" }).press("Enter");
  const alerts = await form.getByRole("alert").allTextContents();
  const focused = await page.evaluate("document.activeElement.dataset.field");
  await page.keyboard.type("Porto");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("3");
  await page.keyboard.press("Tab");
  await page.keyboard.type("F");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await form.getByRole("combobox", { name: "Mail it" }).selectOption("Yes");
  await form.getByRole("textbox", { name: "Days" }).press("Enter");
  await page.getByText("Done.").waitFor();

  expect(problems).toEqual([]);
  expect(warned).toBe(1);
  expect(isMarked).toContain("-secret");
  expect(alerts).toEqual(["City is required", "Days must be a number"]);
  expect(focused).toBe("0");
  const content = { city: "Porto", days: 3, units: "ft", marks: ["high"], mail: true };
  const told = JSON.stringify(JSON.stringify([{ action: "accept", content }]));
  expect(world.model.requests.at(-1)?.body).toContain(told);
});

test("[page-conversation] a question survives a reload, and declining it in one tab closes the other", async (hosts) => {
  const { world, page } = await hosts.open({ config: askingServer });
  world.model.enqueue(...askingModel(formOf("Go on?", {})), { kind: "text", chunks: ["Not used."] });
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("form", { name: 'MCP server "tides" asks you' }).waitFor();
  const second = await world.newTab();
  await second.goto(page.url());
  await page.reload();
  for (const tab of [page, second]) await tab.getByRole("button", { name: "Yes" }).waitFor();

  await second.getByRole("button", { name: "Decline" }).click();
  for (const tab of [page, second]) await tab.getByText("Done.").waitFor();

  expect(await page.getByRole("form", { name: 'MCP server "tides" asks you' }).count()).toBe(0);
  expect(world.model.requests.at(-1)?.body).toContain("decline");
});
