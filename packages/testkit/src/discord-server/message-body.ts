import * as z from "zod";

const maxContent = 2_000;
const snowflake = z.string().regex(/^\d{1,20}$/, "Value is not snowflake.");

/** https://docs.discord.com/developers/components/reference#button */
const buttonSchema = z
  .looseObject({
    type: z.literal(2),
    style: z.int().min(1).max(6),
    label: z.string().min(1).max(80).exactOptional(),
    custom_id: z.string().min(1).max(100).exactOptional(),
    url: z.url().exactOptional(),
  })
  .refine(
    ({ style, custom_id: id, url }) => (style === 5 ? url !== undefined && id === undefined : id !== undefined),
    "A custom id is required",
  );
const rowSchema = z.looseObject({ type: z.literal(1), components: z.array(buttonSchema).min(1).max(5) });
const rowsSchema = z
  .array(rowSchema)
  .max(5)
  .refine((rows) => {
    const ids = rows.flatMap(({ components }) => components.map(({ custom_id: id }) => id ?? ""));
    return new Set(ids).size === ids.length;
  }, "Component custom id cannot be duplicated");

/** https://docs.discord.com/developers/resources/message#create-message-jsonform-params */
export const messageBodySchema = z.looseObject({
  content: z.string().max(maxContent, "Must be 2000 or fewer in length.").default(""),
  nonce: z.union([z.string().max(25), z.int()]).exactOptional(),
  enforce_nonce: z.boolean().default(false),
  allowed_mentions: z
    .strictObject({
      parse: z.array(z.enum(["roles", "users", "everyone"])).exactOptional(),
      roles: z.array(snowflake).max(100).exactOptional(),
      users: z.array(snowflake).max(100).exactOptional(),
      replied_user: z.boolean().exactOptional(),
    })
    .exactOptional(),
  message_reference: z
    .looseObject({
      message_id: snowflake,
      channel_id: snowflake.exactOptional(),
      guild_id: snowflake.exactOptional(),
      fail_if_not_exists: z.boolean().default(true),
    })
    .exactOptional(),
  components: rowsSchema.default([]),
  attachments: z
    .array(z.looseObject({ id: z.union([z.int(), z.string()]), filename: z.string().exactOptional() }))
    .default([]),
  flags: z.int().default(0),
});

/** Including those outside of the schema; the service silently ignores others. */
export const messageKeys: ReadonlySet<string> = new Set([
  ...Object.keys(messageBodySchema.shape),
  "tts",
  "embeds",
  "sticker_ids",
  "poll",
  "shared_client_theme",
]);

export const commandsSchema = z
  .array(
    z.looseObject({
      name: z.string().regex(/^[-_\p{Ll}\p{N}]{1,32}$/u, "Command name is invalid"),
      description: z.string().min(1).max(100),
      type: z.literal(1).default(1),
      contexts: z.array(z.int().min(0).max(2)).nullable().default(null),
      integration_types: z.array(z.int().min(0).max(1)).default([0]),
      options: z
        .array(
          z.looseObject({
            type: z.int().min(1).max(11),
            name: z.string().regex(/^[-_\p{Ll}\p{N}]{1,32}$/u),
            description: z.string().min(1).max(100),
            required: z.boolean().exactOptional(),
          }),
        )
        .max(25)
        .default([]),
    }),
  )
  .max(100)
  .refine((commands) => new Set(commands.map(({ name }) => name)).size === commands.length, "Names must be unique");
export type DiscordCommand = z.infer<typeof commandsSchema>[number] & {
  readonly id: string;
  readonly application_id: string;
  readonly version: string;
};
