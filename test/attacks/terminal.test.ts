import { type ModelReply } from "@incipit/testkit";
import { join } from "node:path";
import * as z from "zod";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { atTerminal } from "../support/at-terminal.ts";
import { incipit } from "../support/host-process.ts";
import { attack } from "./attack.ts";
import { HostWorld } from "../support/host-world.ts";

interface Room {
  readonly folder: string;
  readonly command: readonly string[];
}

async function withModel<Result>(
  room: Room,
  replies: readonly ModelReply[],
  work: (world: HostWorld) => Promise<Result>,
): Promise<Result> {
  // Programs cannot work in the home folder, which has the data folder.
  await using world = await HostWorld.create({ ...room, work: "work", config: "[tools]\nworkspace = true" });
  world.model.enqueue(...replies);
  return await work(world);
}

const touch: readonly ModelReply[] = [
  { kind: "tool-calls", calls: [{ id: "call-1", name: "shell", arguments: '{"command":"touch ran"}' }] },
  { kind: "text", chunks: ["Done."] },
];

function hasRun(folder: string): Promise<boolean> {
  return Bun.file(join(folder, "work/ran")).exists();
}

const question = "[y/N/always] ";

attack("terminal-typed-ahead", {
  async attempt({ folder, command, isControl }) {
    await withModel({ folder, command }, touch, async (world) =>
      atTerminal({
        ...world.sitting("Go"),
        ...(isControl ? {} : { typedAhead: "y\ry\r" }),
        answers: [[question, isControl ? "y\r" : "\r"]],
      }),
    );
    return hasRun(folder);
  },
  held: false,
  bites: true,
});

attack("terminal-typed-ahead-without-enter", {
  async attempt({ folder, command, isControl }) {
    await withModel({ folder, command }, touch, async (world) =>
      atTerminal({
        ...world.sitting("Go"),
        ...(isControl ? {} : { typedAhead: "y" }),
        answers: [[question, isControl ? "y\r" : "\r"]],
      }),
    );
    return hasRun(folder);
  },
  held: false,
  bites: true,
});

async function askedForCity(
  { folder, command }: Room,
  form: object,
  sitting: Pick<Parameters<typeof atTerminal>[0], "typedAhead" | "answers">,
): Promise<{ readonly told: string; readonly screen: string }> {
  await using world = await HostWorld.create({ folder, command, config: askingServer });
  world.model.enqueue(...askingModel(form));
  const { screen } = await atTerminal({ ...world.sitting("Hello there"), ...sitting });
  return { told: world.model.requests.at(-1)?.body ?? "", screen };
}

const cityForm = formOf("Your city?", { city: { type: "string" } });

attack("terminal-question-typed-ahead", {
  async attempt({ isControl, ...room }) {
    const { told } = await askedForCity(room, cityForm, {
      ...(isControl ? {} : { typedAhead: "y\rPorto\ry\r" }),
      answers: isControl
        ? [
            ["[y/n] ", "y\r"],
            ["city: ", "Porto\r"],
            ["[y/n] ", "y\r"],
          ]
        : [["[y/n] ", "\u0004"]],
    });
    return told.includes("Porto");
  },
  held: false,
  bites: true,
});

attack("terminal-typed-ahead-delete", {
  async attempt({ folder, command, isControl }) {
    const room = { command, cwd: folder, home: folder };
    const { stderr } = await incipit(["Hello"], room);
    const id = /-s (\S+)/.exec(stderr)?.[1] ?? "";
    const { screen } = await atTerminal({
      ...room,
      command: [...command, "conversations", "delete", id],
      ...(isControl ? {} : { typedAhead: "y\ry" }),
      answers: isControl
        ? [["[y/N] ", "y\r"]]
        : [
            ["[y/N] ", "maybe\r"],
            ["[y/N] ", "\r"],
          ],
    });
    return { isDeleted: screen.includes(`Deleted ${id}`), isKept: screen.includes("Nothing was deleted") };
  },
  held: { isDeleted: false, isKept: true },
  bites: { isDeleted: true, isKept: false },
});

attack("terminal-pasted-answer", {
  async attempt({ folder, command, isControl }) {
    const text = "y\ralways\r";
    await withModel({ folder, command }, touch, async (world) =>
      atTerminal({
        ...world.sitting("Go"),
        term: "xterm",
        answers: [[question, isControl ? "y\r" : `\u001B[200~${text}\u001B[201~\r`]],
      }),
    );
    return hasRun(folder);
  },
  held: false,
  bites: true,
});

attack("terminal-pasted-message", {
  async attempt({ folder, command, isControl }) {
    const text = "first\rsecond \u009B2J\r";
    const pasted = `\u001B[200~${text}\u001B[201~`;
    const replies: readonly ModelReply[] = [1, 2].map((number) => ({ kind: "text", chunks: [`Reply ${number}.`] }));
    return withModel({ folder, command }, replies, async (world) => {
      const { screen } = await atTerminal({
        ...world.sitting("chat", "--screen-reader"),
        term: "xterm",
        answers: [
          ["> ", isControl ? "first\rsecond\r" : `${pasted}\r`],
          [isControl ? "Reply 2." : "Reply 1.", "\u0004"],
        ],
      });
      return { replies: screen.match(/Reply \d/g)?.length, steers: screen.includes("\u009B") };
    });
  },
  held: { replies: 1, steers: false },
  bites: { replies: 2, steers: false },
});

const clipboard = "\u001B]52;c;cm0gLXJm\u0007\u009B2J";

attack("terminal-answer-on-a-screen", {
  async attempt({ folder, command, isControl }) {
    const replies: readonly ModelReply[] = [{ kind: "text", chunks: ["\u001B", clipboard.slice(1), "\r\n"] }];
    return withModel({ folder, command }, replies, async (world) => {
      if (!isControl) {
        const { screen } = await atTerminal(world.sitting("Go"));
        return {
          steers: screen.includes("\u001B]52"),
          shows: screen.includes("\\u001b]52;c;cm0gLXJm\\u0007\\u009b2J"),
        };
      }
      const { stdout } = await world.run("Go");
      return { steers: stdout.includes(clipboard), shows: stdout.includes("\\u001b") };
    });
  },
  held: { steers: false, shows: true },
  bites: { steers: true, shows: false },
});

attack("terminal-vendor-error", {
  async attempt({ folder, command, isControl }) {
    const said = "no credit\u001B[2K\u202E\nAllow it? [y/N/always] ";
    const body = JSON.stringify({ error: { message: said, type: "x" } });
    return withModel({ folder, command }, [{ kind: "error", status: 400, body }], async (world) => {
      const { stdout, stderr } = await world.run(...(isControl ? ["--json"] : []), "Go");
      const shown = isControl
        ? z
            .object({ error: z.object({ message: z.string() }) })
            .parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).error.message
        : stderr;
      return {
        isTold: shown.includes("no credit"),
        steers: shown.includes("\u001B") || /\u202E|^Allow it/m.test(shown),
      };
    });
  },
  held: { isTold: true, steers: false },
  bites: { isTold: true, steers: true },
});
