import type { Client } from "@incipit/transport-contract";
import { expect } from "bun:test";
import { parseArguments, type Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { answeringHost } from "./answering-host.ts";
import { recordOutput } from "./recorded-output.ts";

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: ReturnType<typeof answeringHost>["requests"];
}

export async function ranCommand(
  run: (client: Client, args: Arguments, output: Output) => Promise<number>,
  words: readonly string[],
  answers: readonly unknown[],
): Promise<Ran> {
  const { client, requests } = answeringHost(...answers);
  const { output, stdout, stderr } = recordOutput();
  expect(await run(client, parseArguments(words), output)).toBe(0);
  return { stdout: stdout(), stderr: stderr(), requests };
}
