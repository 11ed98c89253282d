import { version } from "../../version.ts";
import type { Call } from "../registry/command.ts";
import { installedWay, ownProgram } from "./installation.ts";
import { publishedVersions, registryOf } from "./npm-registry.ts";

const maxNamed = 6;

export async function update({
  args: { isJson },
  output: { outLine },
}: Pick<Call, "args" | "output">): Promise<void> {
  const registry = registryOf(process.env);
  const { latest, versions } = await publishedVersions(registry);
  const isNewer = Bun.semver.order(latest, version) > 0;
  const { words, update: command } = installedWay(ownProgram());
  if (isJson) {
    outLine(JSON.stringify({ version, latest, isNewer, registry, installedBy: words, command }));
    return;
  }
  if (!isNewer) {
    outLine(`This is incipit ${version}, and the newest in ${registry} is ${latest}: nothing to do`);
    return;
  }
  outLine(`incipit ${latest} is there; this is ${version}, from ${words}`);
  const since = versions.filter(
    (one) => Bun.semver.order(one.version, version) > 0 && Bun.semver.order(one.version, latest) <= 0,
  );
  for (const one of since.slice(-maxNamed).toReversed())
    outLine(`  ${one.version}${one.day === undefined ? "" : `  of ${one.day}`}`);
  outLine(`To get it: ${command}`);
  outLine("Nothing has been changed. A host that is running keeps its version until you start it again");
}
