import type { Message } from "./message.ts";
import type { WireMessage } from "./wire.ts";
import { createWireTranscript } from "./wire-transcript.ts";

/** Where a `cache_edits` block travels: at the end of the wire message that holds the named message (MC3). */
export interface Pin {
  readonly messageUuid: string;
  readonly toolUseIds: readonly string[];
}

/**
 * The request's messages (M4). Roles alternate, the first and the last are the user's, results stand first in the message after their response.
 * Blocks are the transcript's own objects wherever they go out unchanged. A pin whose message is not there is left out.
 * What this cannot mend (a call without a result, a result without a call) is `ensureToolResultPairing`'s matter. Empty only when nothing is left to say.
 */
export function normalizeForApi(
  messages: readonly Message[],
  options: { readonly pins?: readonly Pin[] } = {},
): readonly WireMessage[] {
  const wire = createWireTranscript(options.pins ?? []);
  for (const message of messages) wire.append(message);
  return wire.messages();
}
