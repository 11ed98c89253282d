import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { ChannelWorld } from "./channel-world.ts";

const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a chat with a picture that the provider rejects explains how to remove it", async () => {
  await using world = await ChannelWorld.create();
  const { model, bot } = world;
  model.answer = (body) =>
    body.includes("image_url")
      ? { kind: "error", status: 400, body: '{"error":{"message":"Could not process image"}}' }
      : undefined;
  const { client } = await world.start("telegram");
  const { pairingCode } = await client.call(routes.createPairingCode, { params: { id: "telegram" } });
  const ada = bot.person({ name: "Ada" });
  const answerTo = async (say: () => unknown): Promise<string> => {
    const before = bot.sent.length;
    say();
    await bot.waitFor(({ sent }) => sent.length > before);
    return bot.sent.at(-1)?.text ?? "";
  };
  await answerTo(() => ada.says(pairingCode.code));

  const none = await answerTo(() => ada.says("/files"));
  const refused = await answerTo(() =>
    ada.sends({ kind: "photo", bytes: new Uint8Array(dot), caption: "What is it?" }),
  );
  const damaged = await answerTo(() =>
    ada.sends({ kind: "photo", bytes: new Uint8Array(dot.subarray(0, 40)), caption: "And this?" }),
  );
  const listed = await answerTo(() => ada.says("/files"));
  const unknown = await answerTo(() => ada.says("/files remove 000000000000"));
  const [id = ""] = /^[\da-f]{12}/m.exec(listed) ?? [];
  const removed = await answerTo(() => ada.says(`/files remove ${id}`));
  const left = await answerTo(() => ada.says("/files"));
  model.enqueue({ kind: "text", chunks: ["Fine."] });
  const next = await answerTo(() => ada.says("Go on"));

  expect(none).toBe("No conversation yet: your next message starts one.");
  expect(refused).toStartWith("Sorry, that did not work: ");
  expect(refused).toEndWith("To continue: /files remove removes the newest file, /files lists them.");
  expect(damaged).toContain("damaged or cut off");
  expect(listed).toContain(`${dot.length} bytes`);
  expect(unknown).toContain('Unknown file "000000000000".');
  expect(removed).toStartWith("Removed ");
  expect(left).toBe("My requests contain no files of this conversation.");
  expect(next).toBe("Fine.");
  expect(model.requests.at(-1)?.body).toContain("removed by the user");
}, 300_000);
