"""Talks to a Bot API as python-telegram-bot 13 does, and prints what it saw. Arguments: root, token, chat."""

import io, json, sys, warnings

warnings.simplefilter("ignore")
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegram.error import BadRequest, Conflict, InvalidToken, RetryAfter, Unauthorized
from telegram.utils.request import Request

root, token, chat = sys.argv[1:4]
chat = int(chat)
request = Request(con_pool_size=4)


def bot(secret):
    return Bot(secret, base_url=f"{root}/bot", base_file_url=f"{root}/file/bot", request=request)


own = bot(token)
seen = {"me": own.get_me().username}
updates = own.get_updates(timeout=5)
seen["said"] = [update.message.text for update in updates if update.message.text]
photo = next(update.message.photo[-1] for update in updates if update.message.photo)
seen["photo"] = list(photo.get_file().download_as_bytearray())
seen["left"] = len(own.get_updates(offset=updates[-1].update_id + 1))
keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="yes")]])
sent = own.send_message(chat, "So it is", entities=[MessageEntity("bold", 0, 2)], reply_markup=keyboard)
seen["sent"] = [sent.text, sent.entities[0].type, sent.reply_markup.inline_keyboard[0][0].callback_data]
seen["edited"] = own.edit_message_text("It is", chat_id=chat, message_id=sent.message_id).text
seen["document"] = own.send_document(chat, io.BytesIO(bytes([0, 255])), filename="a b.bin").document.file_size
seen["commands"] = own.set_my_commands([("new", "Begin")])
seen["webhook"] = own.get_webhook_info().url


def failure(call):
    try:
        call()
    except (BadRequest, Conflict, InvalidToken, RetryAfter, Unauthorized) as error:
        return [type(error).__name__, error.message]
    return None


seen["long"] = failure(lambda: own.send_message(chat, "x" * 4097))
seen["nobody"] = failure(lambda: own.send_message(1, "x"))
seen["busy"] = failure(lambda: own.send_chat_action(chat, "typing"))
seen["stranger"] = failure(lambda: bot("1:other").get_me())
print(json.dumps(seen))
