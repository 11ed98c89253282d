import { loadDocblocks } from "./docblocks.ts";

loadDocblocks();
const { createDocument } = await import("./create-document.ts");
process.stdout.write(JSON.stringify(createDocument()));
