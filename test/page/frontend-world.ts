import { routes, type RouteInput } from "@incipit/transport-contract";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { PageWorld } from "./page-world.ts";

const example = join(import.meta.dir, "../../examples/16-frontend");

export async function serveExample(): Promise<Bun.Server<undefined>> {
  const entrypoints = ["index.html", "event-source.html"].map((name) => join(example, name));
  const { outputs } = await Bun.build({ entrypoints, target: "browser" });
  const files = new Map(outputs.map((output) => [output.path.replace(/^\.?\/?/, "/"), output]));
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      const file = files.get(pathname === "/" ? "/index.html" : pathname);
      return file === undefined ? new Response(null, { status: 404 }) : new Response(file);
    },
  });
}

export async function makeToken(
  world: PageWorld,
  scopes: RouteInput<typeof routes.createToken>["body"]["scopes"],
): Promise<{ readonly id: string; readonly secret: string }> {
  const { token, secret } = await world.client.call(routes.createToken, { body: { scopes, days: 1 } });
  return { id: token.id, secret };
}

export async function fillIn(tab: Page, fields: Readonly<Record<string, string>>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await tab.getByLabel(label).fill(value);
  await tab.getByRole("button", { name: button }).click();
}
