import { defineExtension, type Extension } from "@incipit/kernel";
import { pageFilesHandle, type PageFile } from "@incipit/service-contract";

const extension: Extension = defineExtension(
  { id: "web-page", version: "0.1.0", api: "^1", provides: ["page-files@1"] },
  (host) => {
    let files: Promise<ReadonlyMap<string, PageFile>> | undefined;
    host.provideService(pageFilesHandle, {
      async find(path) {
        files ??= import("./page-bundle.ts").then(({ pageBundle }) => pageBundle());
        return (await files).get(path);
      },
    });
  },
);

export default extension;
