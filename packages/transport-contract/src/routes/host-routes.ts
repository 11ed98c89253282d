import { lazySchema, modelFactsSchema } from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

export const healthResponseSchema = lazySchema(() =>
  z.object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    /** What needs an operator's eye, such as a data file that was set aside. */
    problems: z.array(z.string()),
  }),
);
export type HealthResponse = z.infer<typeof healthResponseSchema>;

export const modelSchema = lazySchema(() =>
  z.object({
    /** PROVIDER/MODEL. */
    id: z.string(),
    provider: z.string(),
    isReady: z.boolean(),
    /** What is missing, such as a key, and what to do. */
    problem: z.string().nullable(),
    isDefault: z.boolean(),
    /** `null`: not in the catalogue, and nothing is configured of it. */
    facts: modelFactsSchema.nullable(),
  }),
);
export type Model = z.infer<typeof modelSchema>;
export const modelsResponseSchema = lazySchema(() => z.object({ models: z.array(modelSchema) }));

/** A named agent of the configuration. */
const profileSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    /** PROVIDER/MODEL; `null`: the host's default. */
    model: z.string().nullable(),
    /** Whether it has a system prompt of its own; an empty one counts. */
    hasSystemPrompt: z.boolean(),
    /** What keeps its model from being used, such as a provider that is not configured; `null`: nothing. */
    problem: z.string().nullable(),
  }),
);
const profilesResponseSchema = lazySchema(() => z.object({ profiles: z.array(profileSchema) }));

const openApiResponseSchema = lazySchema(() => z.looseObject({ openapi: z.string() }));

/** The routes about the host itself: how it is, and what it can call. */
export const hostRoutes = {
  getHealth: {
    method: "GET",
    path: "/health",
    access: "open",
    summary: "Whether the host is well",
    status: 200,
    response: healthResponseSchema,
  },
  listModels: {
    method: "GET",
    path: "/models",
    access: "read",
    summary: "The models that are configured",
    status: 200,
    response: modelsResponseSchema,
  },
  listProfiles: {
    method: "GET",
    path: "/profiles",
    access: "read",
    summary: "The profiles of the configuration",
    status: 200,
    response: profilesResponseSchema,
  },
  getOpenApi: {
    method: "GET",
    path: "/openapi.json",
    access: "open",
    summary: "This document",
    status: 200,
    response: openApiResponseSchema,
  },
} as const satisfies Record<string, Route>;
