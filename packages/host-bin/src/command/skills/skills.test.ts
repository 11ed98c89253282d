import {
  commandSchema,
  leftOutFileSchema,
  skillSchema,
  type Command,
  type LeftOutFile,
  type Skill,
} from "@incipit/schema";
import { expect, test } from "bun:test";
import { runAgainst } from "../testing/run-command.ts";

const skill = skillSchema.parse({
  name: "notes",
  description: "Writes notes\u001b[2J of a release",
  source: "user",
  folder: "/home/ada/.config/incipit/skills/notes",
  isListed: false,
  note: null,
} satisfies Record<keyof Skill, unknown>);
const command = commandSchema.parse({
  name: "review",
  description: "Reviews a change",
  argumentHint: "[branch]",
  model: null,
  source: "folder",
  path: "/work/.agents/commands/review.md",
  note: "its model is ignored: it is not PROVIDER/MODEL",
} satisfies Record<keyof Command, unknown>);
const leftOut = leftOutFileSchema.parse({
  path: "/work/.agents/commands/deploy.md",
  name: "deploy",
  reason: "not-trusted",
  detail: "nobody trusts it",
} satisfies Record<keyof LeftOutFile, unknown>);

test("skills lists the available skills in sanitized lines", async () => {
  const { stdout, stderr, requests } = await runAgainst(["skills"], {
    cwd: "/",
    skills: [skill],
    leftOut: [],
    text: null,
  });

  expect(requests).toMatchObject([{ route: `GET /skills?cwd=${encodeURIComponent(process.cwd())}` }]);
  expect(stdout).toMatch(/^notes +yours +Writes notes.* of a release\n$/);
  expect(stdout).not.toContain("\u001b");
  expect(stderr).toContain("not listed to models");
});

test("commands lists usages, problems and omissions", async () => {
  const prompt = { ...command, name: "tickets__triage", source: "server", path: null, note: null } as const;
  const problems = ['The MCP server "wiki" is still starting'];
  const answer = { cwd: "/", commands: [command, prompt], leftOut: [leftOut], problems };
  const { stdout, stderr } = await runAgainst(["commands", "list"], answer);

  expect(stdout).toMatch(/^\/review \[branch\] +this folder +Reviews a change$/m);
  expect(stdout).toContain("/tickets__triage [branch]  a server     Reviews a change");
  expect(stderr).toContain('The MCP server "wiki" is still starting');
  expect(stderr).toContain("its model is ignored");
  expect(stderr).toContain("left out: /work/.agents/commands/deploy.md: nobody trusts it");
});

test("skills show and commands show print a file unchanged", async () => {
  const opened = { skill, body: "1. Write.\n2. Read.", files: ["a.sh"], hasMoreFiles: false };
  const shown = await runAgainst(["skills", "show", "notes"], opened);
  const other = await runAgainst(["commands", "show", "/review", "--json"], { command, body: "Review $1." });

  expect([shown.stdout, shown.stderr]).toEqual(["1. Write.\n2. Read.\n", "with the file a.sh\n"]);
  expect(other.requests[0]?.route).toStartWith("GET /commands/review?cwd=");
  expect(JSON.parse(other.stdout)).toEqual({ command, body: "Review $1." });
});

test("commands explains an empty list", async () => {
  const { stderr } = await runAgainst(["commands"], { cwd: "/", commands: [], leftOut: [], problems: [] });

  expect(stderr).toContain("There is no command here; to have one, write .agents/commands/NAME.md");
});
