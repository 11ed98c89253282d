import { expect, test } from "bun:test";
import { statedReason } from "./stated-reason.ts";

const reason = "TOKEN is required";

const crashes: Readonly<Record<string, readonly [text: string, said: string]>> = {
  "Node.js": [
    `/srv/server.js:3\n  throw new Error("${reason}");\n  ^\n\nError: ${reason}\n    at Object.<anonymous> (/srv/server.js:3:9)\n    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n\nNode.js v20.20.2`,
    `Error: ${reason}`,
  ],
  "Node.js with fields": [
    `node:internal/modules/esm/resolve:283\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find module '/srv/a.js'\n    at finalizeResolution (node:internal/modules/esm/resolve:283:11) {\n  code: 'ERR_MODULE_NOT_FOUND',\n  url: 'file:///srv/a.js'\n}\n\nNode.js v22.1.0`,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/srv/a.js'",
  ],
  "Node.js that throws a text": [
    `node:internal/process/execution:1\n    throw\n    ^\n${reason}\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)\n\nNode.js v20.20.2`,
    reason,
  ],
  Bun: [
    `1 | throw new Error("${reason}");\n          ^\nerror: ${reason}\n      at /srv/server.ts:1:11\n\nBun v1.4.5 (Linux x64)`,
    `error: ${reason}`,
  ],
  Deno: [
    `error: Uncaught (in promise) Error: ${reason}\n    at file:///srv/server.ts:1:7`,
    `error: Uncaught (in promise) Error: ${reason}`,
  ],
  Python: [
    `Traceback (most recent call last):\n  File "/srv/server.py", line 1, in <module>\n    raise ValueError("${reason}")\nValueError: ${reason}`,
    `ValueError: ${reason}`,
  ],
  "Python with a notice": [
    `Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nmodule.errors.ConfigError: ${reason}\nsys:1: ResourceWarning unclosed`,
    `module.errors.ConfigError: ${reason}`,
  ],
  Java: [
    `Exception in thread "main" java.lang.IllegalStateException: failed\n\tat a.B.main(B.java:3)\nCaused by: java.io.IOException: ${reason}\n\tat a.B.c(B.java:5)\n\t... 3 more`,
    `Caused by: java.io.IOException: ${reason}`,
  ],
  ".NET": [
    `Unhandled exception. System.InvalidOperationException: ${reason}\n   at Program.<Main>$(String[] args) in /srv/Program.cs:line 1`,
    `Unhandled exception. System.InvalidOperationException: ${reason}`,
  ],
  Go: [
    `panic: ${reason}\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:4 +0x25\nexit status 2`,
    `panic: ${reason}`,
  ],
  Rust: [
    `thread 'main' panicked at src/main.rs:2:5:\n${reason}\nnote: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    reason,
  ],
  PHP: [
    `PHP Fatal error:  Uncaught Exception: ${reason} in /srv/a.php:3\nStack trace:\n#0 {main}\n  thrown in /srv/a.php on line 3`,
    `PHP Fatal error:  Uncaught Exception: ${reason} in /srv/a.php:3`,
  ],
  npx: [
    `npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/server-x - Not found\nnpm error\nnpm error A complete log of this run can be found in: /root/.npm/_logs/1.log`,
    "npm error 404 Not Found - GET https://registry.npmjs.org/server-x - Not found",
  ],
  Docker: [
    `docker: Error response from daemon: no such image.\n\nRun 'docker run --help' for more information`,
    "docker: Error response from daemon: no such image.",
  ],
  "a plain line": [`starting\n${reason}`, reason],
  "frames alone": ["    at a (b.js:1:1)", "at a (b.js:1:1)"],
  nothing: ["\n\n", ""],
};

for (const [runtime, [text, said]] of Object.entries(crashes))
  test(`statedReason returns the line with the reason, of ${runtime}`, () => {
    expect(statedReason(text.split("\n"))).toBe(said);
  });
