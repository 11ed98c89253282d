import { parseManifest } from "@incipit/kernel";
import type { Config } from "@incipit/host/configuration";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Finding } from "./finding.ts";

const packageSchema = z.object({ incipit: z.unknown() });

/** Whether each folder of `[extensions] paths` holds an extension; its code is not loaded. */
export function extensionFindings({ extensions: { paths } }: Config): readonly Finding[] {
  return paths.map((path) => {
    const wrong = (what: string): Finding => ({
      check: "extensions",
      status: "wrong",
      what,
      where: path,
      fix: "name its folder in [extensions] paths as it is, or take it out",
    });
    let text: string;
    try {
      text = readFileSync(join(path, "package.json"), "utf8");
    } catch {
      return wrong("a folder of [extensions] paths has no package.json, so nothing of it is loaded");
    }
    try {
      const { id } = parseManifest(packageSchema.parse(JSON.parse(text)).incipit);
      return { check: "extensions", status: "ok", what: `"${id}" is there`, where: path };
    } catch (error) {
      const why = error instanceof Error && !(error instanceof z.ZodError) ? error.message : "it has no manifest";
      return wrong(`a package.json of [extensions] paths cannot be read: ${why}`);
    }
  });
}
