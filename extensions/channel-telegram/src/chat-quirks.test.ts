import type { ChannelMessage } from "@incipit/service-contract";
import { telegramAlbumQuirks, telegramSendQuirks, type TelegramSendQuirk } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { openTelegram } from "./testing/telegram-world.ts";

for (const quirk of telegramSendQuirks)
  test(`send, quirk ${quirk.id}: ${quirk.does}`, async () => {
    await using world = await openTelegram({ isReceiving: false });
    const { server, channel, signal } = world;
    const there = server.person().in(server.group());
    for (const { method, description, isMigrated } of quirk.refusals)
      server.fail(method, {
        kind: "refuse",
        status: 400,
        description,
        ...(isMigrated === true ? { migrateToChatId: there.chatId } : {}),
      });

    const { topic = "", refusals } = quirk;
    const delivery = await channel.send(`${there.chatId}${topic}`, messageOf(quirk), signal);

    expect(delivery).toMatchObject({ kind: "sent" });
    expect(there.replies).toHaveLength(1);
    expect(there.replies[0]?.message_thread_id).toBeUndefined();
    expect(server.calls).toHaveLength(refusals.length + 1);
  });

function messageOf({ file, replyTo }: TelegramSendQuirk): ChannelMessage {
  if (file === undefined) return { kind: "text", text: "**once**", buttons: [], replyTo };
  return { kind: "file", name: "a", mediaType: file, bytes: new Uint8Array([1]) };
}

for (const { id, does, captions, text } of telegramAlbumQuirks)
  test(`run, quirk ${id} of an album: ${does}`, async () => {
    await using world = await openTelegram();
    const { server, inbox } = world;
    const ada = server.person();
    for (const [index, caption] of captions.entries()) {
      const picture = { kind: "photo", bytes: new Uint8Array([index]), album: "a" } as const;
      ada.sends(caption === null ? picture : { ...picture, caption });
      await world.pass(15);
    }
    while (server.pending.length > 0) await world.pass(250);

    expect(inbox.updates).toMatchObject([{ kind: "message", text }]);
    const [album] = inbox.updates;
    const parts = album?.kind === "message" ? [album, ...(album.others ?? [])] : [];
    expect(parts.flatMap(({ files }) => files)).toHaveLength(captions.length);
  });
