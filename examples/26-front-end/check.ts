/** Enters messages into the front end, and restarts the host under it. */
import { ConversationSession, type SessionState } from "@incipit/client/session";
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder } from "@incipit/testkit";
import assert from "node:assert/strict";
import { clientFor, enter, render } from "./front-end.ts";

await using folder = await createTempFolder();
const start = (port: number): ReturnType<typeof createHost> =>
  createHost({
    config: parseConfig(`listen.port = ${port}\n`, "incipit.toml"),
    dataFolder: folder.path,
    cwd: folder.path,
    env: {},
    writeLog: () => {},
  });
const first = await start(0);
const client = clientFor(first.url, first.token);
const { conversation } = await client.call("POST /conversations", { body: {} });
const session = new ConversationSession({ client, id: conversation.id });
const screens: string[] = [];
session.subscribe((state) => screens.push(render(state)));
const following = session.follow();

/** Resolves with the first screen that fits. */
async function screen(fits: (state: SessionState) => boolean): Promise<string> {
  const found = Promise.withResolvers<string>();
  const look = (state = session.state): void => {
    if (state !== undefined && fits(state)) found.resolve(render(state));
  };
  const leave = session.subscribe(look);
  look();
  return found.promise.finally(leave);
}

const answered =
  (count: number) =>
  ({ messages, live, conversation: { status } }: SessionState): boolean =>
    messages.filter(({ role }) => role === "assistant").length === count && live === undefined && status === "idle";

await screen(() => true);
await enter(session, "What were you told?");
assert.match(
  await screen(answered(1)),
  /^user: What were you told\?\nassistant: .*You said: What were you told\?/s,
);
assert.ok(screens.some((text) => text.includes("[running]")));

// The front end waits for the host, and goes on.
const { port } = new URL(first.url);
const away = screen(({ isAway }) => isAway);
await first[Symbol.asyncDispose]();
assert.match(await away, /\[the host is away\]$/);
await using second = await start(Number(port));
assert.equal(second.url, first.url);
assert.match(await screen(({ isAway }) => !isAway), /\[idle\]$/);
await enter(session, "And now?");
const reply = await screen(answered(2));
assert.ok(reply.includes("You said: And now?"), reply);
session.close();
await following;

process.stdout.write(`26-front-end: ${screens.length} screens\n`);
