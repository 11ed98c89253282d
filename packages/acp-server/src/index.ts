export { serveAcp, type AcpOptions } from "./serve-acp.ts";
