import type { PageFile } from "@incipit/service-contract";
import page from "@incipit/web/index.html";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

export async function pageBundle(): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const { name, type, content } of page.files === undefined ? await bundled() : embedded(page.files)) {
    const isPage = name.endsWith(".html");
    const bytes = new Uint8Array(await content.arrayBuffer());
    // All names except the page's contain a content hash.
    const file = { bytes, type, isImmutable: !isPage };
    // The page routes on its own path: "/docs" shows the API.
    for (const path of isPage ? ["/", "/docs"] : [`/${name}`]) files.set(path, file);
  }
  return files;
}

interface BundledFile {
  readonly name: string;
  readonly type: string;
  readonly content: Blob;
}

function embedded(files: NonNullable<typeof page.files>): readonly BundledFile[] {
  return files.map(({ path, headers }) => ({
    name: basename(path),
    type: headers["content-type"],
    content: Bun.file(path),
  }));
}

/** @throws {AggregateError} when the page's sources do not compile. */
async function bundled(): Promise<readonly BundledFile[]> {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(import.meta.resolve("@incipit/web/index.html"))],
    target: "browser",
    splitting: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
  });
  return outputs.map((output) => ({ name: basename(output.path), type: output.type, content: output }));
}
