import { createHash } from "node:crypto";
import type { CommandManifest } from "../write-command-packages.ts";

/** Not installable without a tarball. */
export interface RegistryPackage {
  readonly manifest: CommandManifest;
  readonly tarball?: string;
}

export interface PackageRegistry extends AsyncDisposable {
  readonly url: string;
  /** In order. */
  readonly downloads: readonly string[];
}

export async function startPackageRegistry(packages: readonly RegistryPackage[]): Promise<PackageRegistry> {
  const downloads: string[] = [];
  const hashes = new Map<string, string>();
  for (const { tarball } of packages)
    if (tarball !== undefined)
      hashes.set(
        tarball,
        createHash("sha512")
          .update(await Bun.file(tarball).bytes())
          .digest("base64"),
      );
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, origin } = new URL(request.url);
      const path = decodeURIComponent(pathname.slice(1));
      const name = path.replace(/^-\//, "").replace(/\.tgz$/, "");
      const found = packages.find(({ manifest }) => manifest.name === name);
      if (found === undefined) return new Response("{}", { status: 404 });
      const { manifest, tarball } = found;
      if (path.startsWith("-/")) {
        downloads.push(name);
        return tarball === undefined ? new Response("", { status: 404 }) : new Response(Bun.file(tarball));
      }
      const hash = tarball === undefined ? undefined : hashes.get(tarball);
      const dist = {
        tarball: `${origin}/-/${name}.tgz`,
        ...(hash === undefined ? {} : { integrity: `sha512-${hash}` }),
      };
      return Response.json({
        name,
        "dist-tags": { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, dist } },
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    downloads,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
