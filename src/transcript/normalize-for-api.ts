import type { Message } from "./message.ts";
import type { WireMessage } from "./wire.ts";
import type { Pin } from "./wire-transcript.ts";
import { createWireTranscript } from "./wire-transcript.ts";

/**
 * The request's messages (M4). Roles alternate, the first and the last are the user's, results stand first in the message after their response.
 * Blocks are the transcript's own objects wherever they go out unchanged. A pin whose message is not there is left out.
 * What this cannot mend (a call without a result, a result without a call) is `ensureToolResultPairing`'s matter. Empty only when nothing is left to say.
 */
export function normalizeForApi(
  messages: readonly Message[],
  options: { readonly pins?: readonly Pin[] } = {},
): readonly WireMessage[] {
  const wire = createWireTranscript();
  for (const message of messages) wire.append(message);
  for (const pin of options.pins ?? []) wire.pin(pin);
  return wire.messages();
}
