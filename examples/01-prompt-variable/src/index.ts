import { defineExtension, type Extension } from "@incipit/kernel";
import { promptVariablesPoint } from "@incipit/service-contract";
import * as z from "zod";
import packageJson from "../package.json";

const variables = [
  { name: "name", description: "Name of the package in the working directory" },
  { name: "version", description: "Its version" },
  { name: "description", description: "What it says it is" },
] as const;

const packageSchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  description: z.string().optional(),
});

const extension: Extension = defineExtension(packageJson, (host) => {
  host.contribute(promptVariablesPoint, {
    type: "package",
    variables,
    async resolve(name, { cwd, signal }) {
      const variable = variables.find((candidate) => candidate.name === name);
      if (variable === undefined) return { absent: "not-found" };
      const options = { cwd, maxBytes: 1_048_576, timeoutMs: 2_000, signal };
      const file = await host.fs.readFile("package.json", options);
      if (file.kind === "absent") return { absent: file.reason };
      const parsed = packageSchema.safeParse(jsonOf(file.bytes));
      if (!parsed.success) return { absent: "failed" };
      const value = parsed.data[variable.name];
      return value === undefined ? { absent: "not-set" } : { value };
    },
  });
});

export default extension;

/** Returns `undefined` for invalid JSON. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // Rejected by the schema, so the variable is absent.
  }
}
