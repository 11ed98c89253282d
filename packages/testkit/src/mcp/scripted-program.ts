import { createInterface } from "node:readline";
import * as z from "zod";
import { ScriptedAnswers } from "./scripted-answers.ts";

// A scripted MCP server over stdio; the script is the first argument.
const script = z.record(z.string(), z.array(z.string())).parse(JSON.parse(process.argv[2] ?? "{}"));
const answers = new ScriptedAnswers(script);
for await (const line of createInterface({ input: process.stdin }))
  for (const answer of answers.take(line)) process.stdout.write(`${answer}\n`);
