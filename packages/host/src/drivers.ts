export { systemClock } from "./drivers/clock.ts";
export { createEnvironment } from "./drivers/environment.ts";
export { createFileSystem } from "./drivers/files/file-system.ts";
export { createNet } from "./drivers/net/net.ts";
export { absoluteFolders } from "./drivers/programs/absolute-folders.ts";
export { createSpawn } from "./drivers/programs/spawn.ts";
