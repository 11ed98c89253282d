/** The methods that the recording server answers, with what `botParameters` reads. Made by `scripts/bot-methods.ts`. */
export const declaredMethods = {
  answerCallbackQuery: `
    callback_query_id! text, text text 200, show_alert boolean, url text, cache_time integer`,
  deleteWebhook: `
    drop_pending_updates boolean`,
  editMessageText: `
    business_connection_id text, chat_id chat, message_id integer, inline_message_id text, text text 4096,
    parse_mode text, entities json, link_preview_options json, rich_message json, reply_markup json`,
  getFile: `
    file_id! text`,
  getMe: "",
  getUpdates: `
    offset integer, limit integer, timeout integer, allowed_updates json`,
  getWebhookInfo: "",
  sendAudio: `
    business_connection_id text, chat_id! chat, message_thread_id integer, direct_messages_topic_id integer,
    ephemeral_message_parameters json, audio! file, caption text 1024, parse_mode text, caption_entities json,
    duration integer, performer text, title text, thumbnail file, disable_notification boolean,
    protect_content boolean, allow_paid_broadcast boolean, suggested_post_parameters json,
    message_effect_id text, reply_parameters json, reply_markup json, reply_to_message_id integer`,
  sendChatAction: `
    business_connection_id text, chat_id! chat, message_thread_id integer, action! text`,
  sendDocument: `
    business_connection_id text, chat_id! chat, message_thread_id integer, direct_messages_topic_id integer,
    ephemeral_message_parameters json, document! file, thumbnail file, caption text 1024, parse_mode text,
    caption_entities json, disable_content_type_detection boolean, disable_notification boolean,
    protect_content boolean, allow_paid_broadcast boolean, suggested_post_parameters json,
    message_effect_id text, reply_parameters json, reply_markup json, reply_to_message_id integer`,
  sendMessage: `
    business_connection_id text, chat_id! chat, message_thread_id integer, direct_messages_topic_id integer,
    ephemeral_message_parameters json, text! text 4096, parse_mode text, entities json,
    link_preview_options json, disable_notification boolean, protect_content boolean,
    allow_paid_broadcast boolean, suggested_post_parameters json, message_effect_id text,
    reply_parameters json, reply_markup json, reply_to_message_id integer`,
  sendMessageDraft: `
    chat_id! integer, message_thread_id integer, draft_id! integer, text text 4096, parse_mode text,
    entities json, can_stop boolean, keep_on_stop boolean`,
  sendPhoto: `
    business_connection_id text, chat_id! chat, message_thread_id integer, direct_messages_topic_id integer,
    ephemeral_message_parameters json, photo! file, caption text 1024, parse_mode text, caption_entities json,
    show_caption_above_media boolean, has_spoiler boolean, disable_notification boolean,
    protect_content boolean, allow_paid_broadcast boolean, suggested_post_parameters json,
    message_effect_id text, reply_parameters json, reply_markup json, reply_to_message_id integer`,
  sendVideo: `
    business_connection_id text, chat_id! chat, message_thread_id integer, direct_messages_topic_id integer,
    ephemeral_message_parameters json, video! file, duration integer, width integer, height integer,
    thumbnail file, cover file, start_timestamp integer, caption text 1024, parse_mode text,
    caption_entities json, show_caption_above_media boolean, has_spoiler boolean, supports_streaming boolean,
    disable_notification boolean, protect_content boolean, allow_paid_broadcast boolean,
    suggested_post_parameters json, message_effect_id text, reply_parameters json, reply_markup json,
    reply_to_message_id integer`,
  sendVoice: `
    business_connection_id text, chat_id! chat, message_thread_id integer, direct_messages_topic_id integer,
    ephemeral_message_parameters json, voice! file, caption text 1024, parse_mode text, caption_entities json,
    duration integer, disable_notification boolean, protect_content boolean, allow_paid_broadcast boolean,
    suggested_post_parameters json, message_effect_id text, reply_parameters json, reply_markup json,
    reply_to_message_id integer`,
  setMyCommands: `
    commands! json, scope json, language_code text`,
  setWebhook: `
    url! text, certificate file, ip_address text, max_connections integer, allowed_updates json,
    drop_pending_updates boolean, secret_token text 256`,
} as const;
