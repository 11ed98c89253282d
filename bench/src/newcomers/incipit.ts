import { notes, originOf, type Newcomer } from "./newcomer.ts";

const model = ["-m", "anthropic/claude-sonnet-5"];

/** The commands of `README.md` and `docs/guide/first-model.md`. */
export function incipit(registry: string): Newcomer {
  return {
    name: "Incipit",
    packageName: "incipit",
    registry,
    pointTo: (server) => ({ env: { ANTHROPIC_BASE_URL: originOf(server) } }),
    question: ["incipit", ...model, "What is a monad?"],
    ownPrompt: [
      ["incipit", "prompt", "set", `Use these notes: [file:${notes.name}]`],
      ["incipit", ...model, "Where is the parser?"],
    ],
  };
}
