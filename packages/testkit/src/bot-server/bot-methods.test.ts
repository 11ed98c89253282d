import { expect, test } from "bun:test";
import { declaredMethodsFile, declaredMethodsUrl } from "../../scripts/bot-methods.ts";
import { botParameters } from "./bot-methods.ts";

test("declaredMethods matches the installed declarations; run scripts/bot-methods.ts to update", async () => {
  expect(await Bun.file(declaredMethodsUrl).text()).toBe(await declaredMethodsFile());
});

test("botParameters returns requirement, kind and maximal length", () => {
  const message = botParameters("sendMessage");

  expect(message.get("text")).toEqual({ kind: "text", isRequired: true, max: 4096 });
  expect(message.get("chat_id")).toEqual({ kind: "chat", isRequired: true, max: Infinity });
  expect(message.size).toBe(17);
  expect(botParameters("sendPhoto").get("caption")).toEqual({ kind: "text", isRequired: false, max: 1024 });
  expect(botParameters("getMe").size).toBe(0);
});
