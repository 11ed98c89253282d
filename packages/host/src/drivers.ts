export { systemClock } from "./drivers/clock.ts";
export { createEnvironment } from "./drivers/environment.ts";
export { createFileSystem } from "./drivers/files/file-system.ts";
export { createNet } from "./drivers/net/net.ts";
export { createSpawn } from "./drivers/programs/spawn.ts";
