import { expect, test } from "bun:test";
import { replyQuirks } from "@incipit/testkit";
import { isQuiet } from "./quiet-reply.ts";

test("isQuiet accepts the token alone, and as the last line", () => {
  for (const reply of [
    "HEARTBEAT_OK",
    "  HEARTBEAT_OK \n\n",
    "Backups are done.\nHEARTBEAT_OK",
    "Done.\r\n\r\n HEARTBEAT_OK\r\n",
  ])
    expect({ reply, isQuiet: isQuiet(reply) }).toEqual({ reply, isQuiet: true });
});

test("isQuiet rejects an empty reply and text that only resembles the token", () => {
  for (const reply of ["", "\n", "heartbeat_ok", "HEARTBEAT OK", "HEARTBEAT_OK_2", "HEARTBEAT_OK <script>alert"])
    expect({ reply, isQuiet: isQuiet(reply) }).toEqual({ reply, isQuiet: false });
});

for (const { id, does, reply, isQuiet: expected } of replyQuirks)
  test(`isQuiet, quirk ${id}: ${does}`, () => {
    expect(isQuiet(reply)).toBe(expected);
  });

test("isQuiet runs in linear time", () => {
  const reply = `${"HEARTBEAT_OK<b>".repeat(20_000)}${"<".repeat(100_000)}a${"_".repeat(100_000)}HEARTBEAT_OK${"*".repeat(100_000)}x`;

  expect(isQuiet(reply)).toBe(false);
});
