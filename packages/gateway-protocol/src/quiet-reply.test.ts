import { expect, test } from "bun:test";
import { isQuiet } from "./quiet-reply.ts";

test("isQuiet takes the token alone, and as the last line", () => {
  for (const reply of [
    "HEARTBEAT_OK",
    "  HEARTBEAT_OK \n\n",
    "Backups are done.\nHEARTBEAT_OK",
    "Done.\r\n\r\n HEARTBEAT_OK\r\n",
  ])
    expect({ reply, isQuiet: isQuiet(reply) }).toEqual({ reply, isQuiet: true });
});

test("isQuiet takes nothing else: an alert is told, also one that names the token, and an empty reply", () => {
  for (const reply of [
    "",
    "\n",
    "HEARTBEAT_OK\nThe disk is full",
    "The disk is full. HEARTBEAT_OK",
    "HEARTBEAT_OKAY",
    "heartbeat_ok",
    "`HEARTBEAT_OK`",
    "No HEARTBEAT_OK today:\nthe disk is full",
  ])
    expect({ reply, isQuiet: isQuiet(reply) }).toEqual({ reply, isQuiet: false });
});
