import { ApiClientError, routes, type CapabilitiesInfo } from "@incipit/transport-contract";
import * as z from "zod";
import { writeExtension, type ManagerWorld } from "./manager-world.ts";

export interface Probe {
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly tries: string;
}

const errorSchema = z.object({ code: z.string() });

export async function probe(
  world: ManagerWorld,
  { manifest = {}, tries }: Probe,
  grant?: CapabilitiesInfo,
): Promise<unknown> {
  const { path, client } = world;
  await writeExtension(path, {
    manifest,
    activate: `const attempt = async () => { ${tries} };
    const got = await attempt().catch((error) => ({ code: String(error.code ?? error) }));
    host.log.info("probe", { got: JSON.stringify(got ?? null) })`,
  });
  try {
    await client.call(routes.addExtension, {
      body: { path, data: "drop", ...(grant === undefined ? {} : { grant }) },
    });
  } catch (error) {
    if (!(error instanceof ApiClientError)) throw error;
    return error.code;
  }
  const line = world.logs.findLast((text) => text.includes("probe")) ?? "";
  const { got } = z.object({ got: z.string() }).parse(JSON.parse(line.slice(line.indexOf("{"))));
  const value: unknown = JSON.parse(got);
  await client.call(routes.removeExtension, { params: { id: "acme.sample" } });
  return errorSchema.safeParse(value).data?.code ?? value;
}
