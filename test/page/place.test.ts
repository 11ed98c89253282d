import { expect } from "bun:test";
import { test } from "./page-test.ts";

/** Clicks as soon as the navigation exists, before anything is visible. */
const goOnAtOnce = `new MutationObserver((_, observer) => {
  if (document.querySelector("nav") === null) return;
  observer.disconnect();
  location.hash = "#/host";
}).observe(document, { childList: true, subtree: true });`;

test("[page-conversation] navigating before the page is drawn reaches the destination", async (hosts) => {
  const world = await hosts.start();
  const page = await world.newTab();
  await page.addInitScript(goOnAtOnce);
  await page.goto(world.host.page);

  await page.getByRole("region", { name: "Table of keys" }).waitFor();
  expect(page.url()).toEndWith("/#/host");
});
