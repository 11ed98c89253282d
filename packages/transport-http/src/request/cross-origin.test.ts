import { expect, test } from "bun:test";
import { originPattern } from "../context/configuration.ts";
import { AllowedOrigins } from "./allowed-origins.ts";

test("originPattern accepts origins, and application schemes with a wildcard", () => {
  for (const origin of [
    "https://app.example",
    "http://localhost:5173",
    "null",
    "tauri://localhost",
    "vscode-webview://*",
  ])
    expect([origin, originPattern.test(origin)]).toEqual([origin, true]);
  for (const origin of [
    "*",
    "https://*",
    "http://*.example",
    "https://a.example/",
    "https://a/b",
    "app.example",
    "",
    " null",
  ])
    expect([origin, originPattern.test(origin)]).toEqual([origin, false]);
});

test("AllowedOrigins matches case-insensitively, and no similar origin", () => {
  const origins = new AllowedOrigins(["https://App.example", "vscode-webview://*"]);

  for (const origin of ["https://app.example", "HTTPS://APP.EXAMPLE", "vscode-webview://0f3a"])
    expect([origin, origins.has(origin)]).toEqual([origin, true]);
  for (const origin of [
    "null",
    "https://app.example.evil",
    "https://app.example:8443",
    "http://app.example",
    "vscode-webview:",
  ])
    expect([origin, origins.has(origin)]).toEqual([origin, false]);
});
