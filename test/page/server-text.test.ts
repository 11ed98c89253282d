import { routes } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { test } from "./page-test.ts";
import { everythingServer } from "../support/mcp-programs.ts";

test("[server-resources] the page suggests a server's prompts and resolves resource mentions", async (hosts) => {
  const config = `[mcp.servers.all]\ncommand = "${process.execPath}"\nargs = ["${everythingServer}", "stdio"]\n`;
  const { world, page } = await hosts.open({ config });
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("/all__arg");
  await page.getByRole("option", { name: "/all__args-prompt city [state]" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await page.keyboard.type("Rome");
  await page.getByText("Sends the command all__args-prompt").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("article", { name: "You · /all__args-prompt" }).getByText("in Rome?").waitFor();
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await field.fill("Explain @all:demo://nowhere");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText('has no resource "demo://nowhere"').waitFor();
  const kept = await field.inputValue();
  await field.fill("Explain @all:demo://resource/dynamic/text/7 to ada@all.dev");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue from here" }).nth(1).waitFor();

  const { conversations } = await world.client.call(routes.listConversations);
  const [{ id } = { id: "" }] = conversations;
  const { messages } = await world.client.call(routes.listMessages, { params: { id } });
  const said = messages.filter(({ role }) => role === "user").map(({ parts }) => parts);
  expect(kept).toBe("Explain @all:demo://nowhere");
  expect(said).toMatchObject([
    [{ type: "text", text: "What's weather in Rome?" }],
    [
      {
        text: expect.stringMatching(
          /^@all:demo:\/\/resource\/dynamic\/text\/7 \(text\/plain\):\n\nResource 7: .*\n\nExplain @all:demo:\S+ to ada@all\.dev$/,
        ),
      },
    ],
  ]);
  expect(world.complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
});
